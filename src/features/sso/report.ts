/** The words of the SSO report: its lists, and what an entry says. */
import { SHUT_OUT_CAUSES } from '../../model/access/sign-in.ts'
import { DRIFT_CAUSES } from '../../model/drift.ts'

export const SSO_LISTS = [
  'missing_rule',
  'extra_rule',
  'weaker_policy',
  'missing_middleware',
  'extra_middleware',
  'not_loaded',
  'open_route',
  'shut_out',
] as const
export type SsoList = (typeof SSO_LISTS)[number]

/** Of what the engine keeps its own words; beside them what it does not keep. */
export const SSO_CAUSES = [
  ...DRIFT_CAUSES,
  'proxy_differs',
  'answers_without_sign_in',
  'believes_everybody',
  ...SHUT_OUT_CAUSES,
] as const
export type SsoCause = (typeof SSO_CAUSES)[number]

export interface SsoEntry {
  /** A record's name; for a rule of nobody's, what the rule is written for. */
  readonly domain: string
  readonly cause: SsoCause
  readonly detail: string
  /** What would help, or what happens by itself. */
  readonly cure: string
}

export const UNKNOWN_PARTS = ['rules', 'loaded', 'routes_file', 'proxy', 'proof', 'sign_in'] as const

export const UNKNOWN_CAUSES = ['not_configured', 'not_provable', 'unreadable', 'not_seen'] as const
export type UnknownCause = (typeof UNKNOWN_CAUSES)[number]

/** What is not set up, or is nothing that could be known, is not looked at: it counts against nobody, and is not unknown. */
export const isLookedAt = ({ cause }: Pick<SsoUnknown, 'cause'>): boolean =>
  cause !== 'not_configured' && cause !== 'not_provable'

export interface SsoUnknown {
  readonly part: (typeof UNKNOWN_PARTS)[number]
  /** Null: the part as a whole. */
  readonly domain: string | null
  readonly cause: UnknownCause
  readonly detail: string
  readonly cure: string
}

export interface SsoFindings {
  readonly entries: readonly (SsoEntry & { readonly list: SsoList })[]
  readonly unknown: readonly SsoUnknown[]
}

export const nothing: SsoFindings = { entries: [], unknown: [] }
