/** A router outside the routes file that a record is made of: it may lose its requests to that record. */
export interface ReplacedRouter {
  /** With its provider, as the proxy shows it: `app@file`. */
  readonly router: string
  readonly rule: string
  /** With their providers, in order. */
  readonly middlewares: readonly string[]
}
