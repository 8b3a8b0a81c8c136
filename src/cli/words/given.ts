/** Reads one option of a command line by its kind. */
import { Misuse } from '../misuse.ts'
import type { Given } from '../verb.ts'

/** Undefined where it was not given. */
export function textOf(options: Given, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

export const flagOf = (options: Given, name: string): boolean => options[name] === true

/** A whole number from 1, else a Misuse. */
export function numberOf(options: Given, name: string): number | undefined {
  const text = textOf(options, name)
  if (text === undefined) return undefined
  if (/^[1-9][0-9]{0,8}$/.test(text)) return Number(text)
  throw new Misuse(`--${name} takes a number such as 50, not "${text.slice(0, 40)}".`)
}

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const AGE = /^([1-9][0-9]{0,4})([smhd])$/

/** `30s`, `5m`, `24h` and `7d` in milliseconds. */
export function spanOf(options: Given, name: string): number | undefined {
  const text = textOf(options, name)
  if (text === undefined) return undefined
  const match = AGE.exec(text)
  if (match !== null) return Number(match[1]) * UNIT_MS[match[2] as 's']
  throw new Misuse(`--${name} takes a time such as 30s, 5m or 24h, not "${text.slice(0, 40)}".`)
}

const TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(?:Z|[+-][0-9]{2}:[0-9]{2})$/i

/** `30m`, `24h` and `7d` count back from now; anything else is a time as the API takes it. */
export function sinceOf(options: Given, name: string, now: number): string | undefined {
  const text = textOf(options, name)
  if (text === undefined) return undefined
  const match = AGE.exec(text)
  if (match !== null) return new Date(now - Number(match[1]) * UNIT_MS[match[2] as 's']).toISOString()
  if (TIME.test(text) && !Number.isNaN(Date.parse(text))) return text
  throw new Misuse(
    `--${name} takes an age such as 24h, or a time such as 2030-01-31T12:00:00Z, not "${text.slice(0, 40)}".`,
  )
}
