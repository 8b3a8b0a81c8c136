/**
 * An edge: a public ingress node that is fed with the released routes. What it is follows from what its owner wants and
 * from when it was heard of; nobody writes the state itself.
 *
 * | desired  | never heard of | heard of lately | silent for too long |
 * |----------|----------------|-----------------|---------------------|
 * | active   | pending        | active          | offline             |
 * | draining | pending        | draining        | offline             |
 * | offline  | offline        | offline         | offline             |
 */
import { type Instant, isoTime, type Milliseconds } from '../kernel/clock.ts'
import { type FieldError, fieldError } from '../kernel/failure.ts'
import { parseAddress } from './network/address.ts'
import { parseDomainName } from './domain/hostname.ts'
import type { Parsed } from './text/result.ts'
import { textFault } from './text/text.ts'
import { ADDRESS, formOf, HOST_NAME, plainText } from './text/form.ts'

export const EDGE_STATES = ['pending', 'active', 'draining', 'offline'] as const
export type EdgeState = (typeof EDGE_STATES)[number]

export const DESIRED_EDGE_STATES = ['active', 'draining', 'offline'] as const
export type DesiredEdgeState = (typeof DESIRED_EDGE_STATES)[number]

export interface EdgeFields {
  /** A short label, unique. */
  readonly name: string
  /** The name under which it is reached, in A-label form. */
  readonly hostname: string | null
  readonly address: string | null
  readonly region: string | null
}

/** What is known of an edge from its own calls. */
export interface EdgeContact {
  readonly last_seen: Instant | null
  /** What it said that it runs. */
  readonly config_version: string | null
  /** What it fetched last. */
  readonly served_version: string | null
  /** Since when it counts as lost; null while it does not. */
  readonly lost_at: Instant | null
}

export interface Edge extends EdgeFields, EdgeContact {
  readonly id: number
  readonly desired_state: DesiredEdgeState
  readonly revision: number
  readonly created_at: Instant
  readonly updated_at: Instant
}

/** What this process knows of one beside its row. */
export interface EdgeSilence {
  /** How long it is silent, by the clock that nobody sets; our own absence is no silence of theirs. */
  readonly silence_ms: Milliseconds
  /** It was heard of while this process ran: then the row's `lost_at` is of an earlier time. */
  readonly is_fresh: boolean
}

/** Since when the edge is lost; null while it is not, and for one that was never heard of. */
export function lostSince(
  { last_seen, lost_at }: Pick<EdgeContact, 'last_seen' | 'lost_at'>,
  { silence_ms, is_fresh }: EdgeSilence,
  { now, offline_after_ms }: { readonly now: Instant; readonly offline_after_ms: Milliseconds },
): Instant | null {
  if (last_seen === null) return null
  if (silence_ms > offline_after_ms) return lost_at ?? now - Math.round(silence_ms - offline_after_ms)
  return is_fresh ? null : lost_at
}

export function edgeState(
  { desired_state, last_seen }: Pick<Edge, 'desired_state' | 'last_seen'>,
  lost_since: Instant | null,
): EdgeState {
  if (desired_state === 'offline' || lost_since !== null) return 'offline'
  return last_seen === null ? 'pending' : desired_state
}

/** Why the edge is in its state, as a sentence. */
export function edgeReason(edge: Edge, lost_since: Instant | null): string {
  const state = edgeState(edge, lost_since)
  if (edge.desired_state === 'offline') return `${BEGINNINGS.taken_out}.`
  if (state === 'pending') return `${BEGINNINGS.pending}.`
  const heard = `heard of at ${isoTime(edge.last_seen!)}`
  if (state === 'offline') return `${BEGINNINGS.silent} ${heard}; that is too long ago.`
  return state === 'draining' ? `${BEGINNINGS.draining}; ${heard}.` : `${BEGINNINGS.active} ${heard}.`
}

const BEGINNINGS = {
  taken_out: 'Taken out by hand',
  pending: 'It has not been heard of yet',
  silent: 'Last',
  draining: 'Draining by hand',
  active: 'It was',
} as const

/** Of which state a reason was given; null where it is none of ours. */
export function stateOfReason(reason: string): EdgeState | null {
  const found = (Object.keys(BEGINNINGS) as (keyof typeof BEGINNINGS)[]).find((key) =>
    reason.startsWith(BEGINNINGS[key]),
  )
  if (found === undefined) return null
  return found === 'taken_out' || found === 'silent' ? 'offline' : found
}

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const MAX_REGION = 64
const VERSION = /^[!#-[\]-~]{1,128}$/

/** What the texts of an edge look like, for its description. */
export const EDGE_FORMS = {
  name: formOf(NAME),
  hostname: HOST_NAME,
  address: ADDRESS,
  region: plainText(MAX_REGION),
  version: formOf(VERSION),
} as const

export type CheckedEdge =
  | { readonly ok: true; readonly value: EdgeFields }
  | { readonly ok: false; readonly errors: readonly FieldError[] }

/** Canonical fields, or everything that is wrong with them. */
export const edgeFaults = (given: EdgeFields): readonly FieldError[] => {
  const checked = checkEdgeFields(given)
  return checked.ok ? [] : checked.errors
}

export function checkEdgeFields(given: EdgeFields): CheckedEdge {
  const errors: FieldError[] = []
  const read = (field: 'hostname' | 'address', parse: (text: string) => Parsed<string>): string | null => {
    const text = given[field]
    if (text === null) return null
    const parsed = parse(text)
    if (parsed.ok) return parsed.value
    errors.push(fieldError(['body', field], parsed.msg, parsed.type))
    return null
  }
  if (!NAME.test(given.name))
    errors.push(
      fieldError(
        ['body', 'name'],
        'must be 1 to 63 lower-case letters, digits and inner hyphens',
        'edge_name',
      ),
    )
  const hostname = read('hostname', parseDomainName)
  if (hostname?.startsWith('*.') === true)
    errors.push(fieldError(['body', 'hostname'], 'must be one name, not a wildcard', 'domain_name'))
  const address = read('address', parseAddress)
  const fault = given.region === null ? null : textFault(given.region, MAX_REGION)
  if (fault !== null) errors.push(fieldError(['body', 'region'], fault, 'text'))
  if (errors.length > 0) return { ok: false, errors }
  return { ok: true, value: { name: given.name, hostname, address, region: given.region } }
}

/** Visible ASCII as in an entity tag (RFC 9110 §8.8.3), without its quotes. */
export const isConfigVersion = (text: string): boolean => VERSION.test(text)
