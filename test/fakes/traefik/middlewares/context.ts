/** What a middleware may need to be built, beside its own configuration. */
import type { Middleware } from '../traffic/exchange.ts'
import type { Ask } from '../traffic/ask.ts'

export interface BuildContext {
  /** Full name of the middleware that is built. */
  readonly name: string
  /** Names of the plugins that the static configuration knows. */
  readonly plugins: readonly string[]
  /** Asks another server, wherever this one really is. */
  readonly ask: Ask
  /** The middlewares of these names, one after the other. @throws where one cannot be built. */
  readonly chain: (names: readonly string[]) => Middleware
}

export type Config = Readonly<Record<string, unknown>>

/** @throws with Traefik's words where it cannot be built: every router with it is disabled. */
export type Build = (config: Config, context: BuildContext) => Middleware

export const text = (config: Config, key: string): string => (config[key] as string | undefined) ?? ''
export const texts = (config: Config, key: string): readonly string[] =>
  (config[key] as readonly string[] | undefined) ?? []
export const flag = (config: Config, key: string): boolean => config[key] === true
export const PASS: Middleware = (next) => next
