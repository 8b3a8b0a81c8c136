/** A password before everything behind it: users from the list and from a file that must be there. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { reply } from '../traffic/exchange.ts'
import { apr1 } from './apr1.ts'
import { type Build, type Config, flag, text, texts } from './context.ts'

export const basicAuth: Build = (config) => {
  const users = usersOf(config)
  const realm = text(config, 'realm') || 'traefik'
  const header = text(config, 'headerField')
  return (next) => (exchange) => {
    const [, encoded = ''] = /^Basic (.*)$/i.exec(exchange.headers.get('authorization')) ?? []
    const [, user = '', password = ''] =
      /^([^:]*):([^]*)$/.exec(Buffer.from(encoded, 'base64').toString()) ?? []
    const secret = users.get(user)
    if (secret === undefined || !isPassword(password, secret))
      return reply(exchange, {
        status: 401,
        headers: { 'content-type': 'text/plain', 'www-authenticate': `Basic realm="${realm}"` },
        body: '401 Unauthorized\n',
      })
    if (header !== '') exchange.headers.set(header, user)
    if (flag(config, 'removeHeader')) exchange.headers.delete('authorization')
    return next(exchange)
  }
}

/** @throws for no user at all (since 3.7.3), for a file that is not there, and for a line without a colon. */
export function usersOf(config: Config): ReadonlyMap<string, string> {
  const file = text(config, 'usersFile')
  const lines = [...(file === '' ? [] : linesOf(file)), ...texts(config, 'users')]
  if (lines.length === 0) throw new Error('no users provided')
  return new Map(
    lines.map((line) => {
      const [user = '', ...rest] = line.split(':')
      if (rest.length === 0) throw new Error(`error parsing BasicUser: ${line}`)
      return [user, rest.join(':')]
    }),
  )
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'no such file or directory' : String(code)
    throw new Error(`open ${file}: ${why}`, { cause: error })
  }
}

/** `{SHA}` and `$apr1$`; another kind of hash lets nobody in. */
function isPassword(password: string, secret: string): boolean {
  const [, salt] = /^\$apr1\$([^$]*)\$/.exec(secret) ?? []
  if (salt !== undefined) return isSame(apr1(password, salt), secret)
  if (secret.startsWith('{SHA}'))
    return isSame(`{SHA}${createHash('sha1').update(password).digest('base64')}`, secret)
  return false
}

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
