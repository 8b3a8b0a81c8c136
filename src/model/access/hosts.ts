/**
 * Which hosts a rule is for.
 *
 * The two products read a star differently: `*.example.com` is one label to the proxy and every depth below to Authelia.
 * So a record with a star gets a regular expression of one label. It is in lower case and takes no other on purpose: the
 * proxy matches hosts in any case and hands them on as they were sent, and up to Authelia 4.39.19 a host in upper case
 * slips past the more specific of two wildcards. An exact name is compared in any case; a pattern that does not fit means
 * refused, never the laxer rule.
 *
 * Patterns that are not of our making are not run: theirs is another dialect (RE2), and a backtracking engine can be made
 * to hang. They `may` match.
 */
import type { DomainCriterion } from './rule.ts'

export type Match = 'yes' | 'no' | 'maybe'

const LABEL = '[a-z0-9-]+'
const ONE_LABEL = /^\^\[a-z0-9-\]\+((?:\[\.\][a-z0-9-]+)+)\$$/
const EVERYTHING = '^.*$'

export const everything: DomainCriterion = { kind: 'pattern', text: EVERYTHING }

/** The criterion for a record's name, which may begin with `*.`. Names are lower-case A-labels. */
export const criterionFor = (name: string): DomainCriterion =>
  name.startsWith('*.')
    ? { kind: 'pattern', text: `^${LABEL}${name.slice(1).replaceAll('.', '[.]')}$` }
    : { kind: 'literal', text: name }

/** The name as a record has it, where the criterion is of our making; else its own text. */
export function nameOf({ kind, text }: DomainCriterion): string {
  const parent = kind === 'pattern' ? parentOf(text) : null
  return parent === null ? text : `*.${parent}`
}

/** A host that the record's name stands for and that no other name is likely to be. */
export const sampleHost = (name: string): string =>
  name.startsWith('*.') ? `plumbline-any-host${name.slice(1)}` : name

/** @param host in lower case */
export function matchesHost({ kind, text }: DomainCriterion, host: string): Match {
  return kind === 'literal' ? literalMatch(text, host) : patternMatch(text, host)
}

function literalMatch(text: string, host: string): Match {
  const name = text.toLowerCase()
  if (name.startsWith('{user}.') || name.startsWith('{group}.'))
    return host.endsWith(name.slice(name.indexOf('.'))) ? 'maybe' : 'no'
  if (name.startsWith('*')) return host.endsWith(name.slice(1)) ? 'yes' : 'no'
  return name === host ? 'yes' : 'no'
}

function patternMatch(text: string, host: string): Match {
  if (text === EVERYTHING) return 'yes'
  const parent = parentOf(text)
  if (parent === null) return 'maybe'
  const label = host.endsWith(`.${parent}`) ? host.slice(0, -parent.length - 1) : ''
  return /^[a-z0-9-]+$/.test(label) ? 'yes' : 'no'
}

const parentOf = (text: string): string | null =>
  ONE_LABEL.exec(text)?.[1]?.replaceAll('[.]', '.').slice(1) ?? null
