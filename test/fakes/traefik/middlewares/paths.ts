/** Middlewares that change the path on its way to the backend. */
import { goRegexp, goReplace } from '../go-regexp.ts'
import { type Exchange, pathOf, queryOf } from '../traffic/exchange.ts'
import { type Build, text, texts } from './context.ts'

export const addPrefix: Build = (config) => {
  const prefix = text(config, 'prefix')
  if (prefix === '') throw new Error('prefix cannot be empty')
  return (next) => (exchange) => {
    setPath(exchange, slashed(prefix + pathOf(exchange)))
    return next(exchange)
  }
}

export const stripPrefix: Build = (config) => {
  const prefixes = texts(config, 'prefixes')
  return (next) => (exchange) => {
    const path = pathOf(exchange)
    const prefix = prefixes.find((one) => path.startsWith(one))
    if (prefix !== undefined) strip(exchange, prefix)
    return next(exchange)
  }
}

export const stripPrefixRegex: Build = (config) => {
  const patterns = texts(config, 'regex').map((source) => goRegexp(source.trim()))
  return (next) => (exchange) => {
    for (const pattern of patterns) {
      const found = pattern.exec(pathOf(exchange))
      if (found === null || found.index !== 0) continue
      strip(exchange, found[0])
      break
    }
    return next(exchange)
  }
}

export const replacePath: Build = (config) => (next) => (exchange) => {
  exchange.headers.set('X-Replaced-Path', pathOf(exchange))
  setPath(exchange, text(config, 'path'))
  return next(exchange)
}

export const replacePathRegex: Build = (config) => {
  const pattern = compiled(text(config, 'regex').trim())
  const replacement = text(config, 'replacement').trim()
  return (next) => (exchange) => {
    const path = pathOf(exchange)
    if (pattern.test(path)) {
      exchange.headers.set('X-Replaced-Path', path)
      setPath(exchange, goReplace(pattern, path, replacement))
    }
    return next(exchange)
  }
}

function compiled(source: string): RegExp {
  try {
    return goRegexp(source)
  } catch (error) {
    throw new Error(`error compiling regular expression ${source}: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

function strip(exchange: Exchange, prefix: string): void {
  exchange.headers.append('X-Forwarded-Prefix', prefix)
  setPath(exchange, slashed(pathOf(exchange).slice(prefix.length)))
}

const slashed = (path: string): string => (path.startsWith('/') ? path : `/${path}`)

function setPath(exchange: Exchange, path: string): void {
  exchange.url = path + queryOf(exchange)
}
