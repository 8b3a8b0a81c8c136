/** The words of the SSO report: its lists, what an entry says, and what an answer about access lacks. */
import { z } from 'zod'
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

/** What of an answer about access is not known, so that its entries say less than they could. */
export const AccessGap = z.object({
  part: z.enum(['rules', 'people', 'routes_file']),
  cause: z.enum(['not_configured', 'unreadable', 'not_seen']),
  detail: z.string(),
})
export type AccessGap = Readonly<z.infer<typeof AccessGap>>

export const NO_ROUTES: AccessGap = {
  part: 'routes_file',
  cause: 'unreadable',
  detail: 'The routes file cannot be read, so open paths are shown as they are set.',
}

export const NO_RULES_FILE: AccessGap = {
  part: 'rules',
  cause: 'not_configured',
  detail: 'Access rules are not managed here: PLUMBLINE_SSO_RULES_FILE is not set.',
}

export const NOT_SEEN_RUNNING: AccessGap = {
  part: 'rules',
  cause: 'not_seen',
  detail: 'Whether the SSO provider runs these rules is not known.',
}

export const NO_USERS_FILE: AccessGap = {
  part: 'people',
  cause: 'not_configured',
  detail: 'Groups are not known: PLUMBLINE_SSO_USERS_FILE is not set.',
}
