/** What can come in place of an answer: a problem of ours, the end of a sign-in, or nothing that can be read. */
import type { Problem } from './types.ts'

export type Fault =
  | { readonly kind: 'problem'; readonly problem: Problem }
  /** Ours: no session. */
  | { readonly kind: 'signed_out'; readonly problem: Problem | null }
  /** A 401, a redirect or a page in its place: the proxy before us wants a sign-in. */
  | { readonly kind: 'proxy' }
  | { readonly kind: 'offline' }
  | { readonly kind: 'unreadable'; readonly status: number }

export function faultText(fault: Fault): string {
  switch (fault.kind) {
    case 'problem':
      return fault.problem.detail
    case 'signed_out':
      return 'Your session has ended.'
    case 'proxy':
      return 'Your sign-in has ended.'
    case 'offline':
      return 'The daemon does not answer.'
    case 'unreadable':
      return `The answer cannot be read (status ${fault.status}).`
  }
}

export const requestIdOf = (fault: Fault): string | null =>
  fault.kind === 'problem' ? fault.problem.request_id : null

export const codeOf = (fault: Fault): string | null => (fault.kind === 'problem' ? fault.problem.code : null)

/** What the API says of one field, `domain` or `middleware_config`; in a plan of records it stands behind which record. */
export function fieldFaults(fault: Fault | null): ReadonlyMap<string, string> {
  const errors = fault?.kind === 'problem' ? (fault.problem.errors ?? []) : []
  return new Map(errors.map(({ loc, msg }) => [String(loc.find(isField) ?? ''), msg]))
}

const AROUND: ReadonlySet<string | number> = new Set(['body', 'create', 'edits', 'set'])
const isField = (part: string | number): boolean => typeof part === 'string' && !AROUND.has(part)
