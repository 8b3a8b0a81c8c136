/** PowerDNS's sets and the model's, each made from the other. */
import { type ListedRrset, rrsetKey } from '../../../../model/network/dns.ts'
import type { CheckedChange } from '../checked-change.ts'
import { absoluteName } from '../domain-name.ts'
import { fromPresented } from '../presented.ts'
import { fileWords } from '../rdata.ts'
import { commentOf } from '../set-comment.ts'
import { absolute } from '../whole-listing.ts'
import type { RrsetPatch, WireComment, WireRecord, WireRrset } from './wire.ts'

/** Marks the one comment of a set that is ours; the others are people's. */
const OUR_ACCOUNT = 'plumbline'

/**
 * What is served, and our comment. A record that somebody disabled stands in no answer, so it is not listed, and it is
 * left there by every change. Throws RecordFault for what cannot be read.
 */
export function listedSet({ name, type, ttl, records, comments }: WireRrset): ListedRrset | null {
  const served = records.filter((record) => !record.disabled)
  if (served.length === 0) return null
  const values = [...new Set(served.map(({ content }) => fromPresented(type, content)))].sort()
  const comment = commentOf(comments.filter(isOurs).map(({ content }) => content))
  return { name: absolute(name), type, ttl, values, ids: [], comment, proxied: null }
}

const isOurs = ({ account }: WireComment): boolean => account === OUR_ACCOUNT

/**
 * What to send, in the order in which the server can take it: the sets that go, then those that come, so that an alias can
 * take the place of an address.
 * @param there the sets as they stand now, by `rrsetKey`. @param comment_most null leaves all comments alone.
 */
export function patchesFor(
  changes: readonly CheckedChange[],
  there: ReadonlyMap<string, WireRrset>,
  comment_most: number | null,
): RrsetPatch[] {
  const patches = changes.map((change): RrsetPatch => {
    const now = there.get(rrsetKey(change)) ?? null
    const records = recordsFor(change, now)
    const set = { name: absoluteName(change.name), type: change.type }
    if (records.length === 0) return { ...set, changetype: 'DELETE' }
    const comments = comment_most === null ? {} : { comments: commentsFor(change, now, comment_most) }
    const ttl = change.wanted?.ttl ?? now!.ttl
    return { ...set, changetype: 'REPLACE', ttl, records, ...comments }
  })
  const isGoing = (_: unknown, at: number) => changes[at]!.wanted === null
  return [...patches.filter(isGoing), ...patches.filter((patch, at) => !isGoing(patch, at))]
}

function recordsFor({ type, wanted }: CheckedChange, there: WireRrset | null): WireRecord[] {
  const served = wanted?.data.map((data) => ({ content: fileWords(type, data), disabled: false })) ?? []
  // The same record served and disabled would be one twice, which the server refuses.
  const contents = new Set(served.map(({ content }) => content))
  const disabled = there?.records.filter((record) => record.disabled) ?? []
  return [...served, ...disabled.filter(({ content }) => !contents.has(content))]
}

function commentsFor({ wanted }: CheckedChange, there: WireRrset | null, most: number): WireComment[] {
  const content = wanted?.comment?.slice(0, most) ?? null
  const ours = content === null ? [] : [{ content, account: OUR_ACCOUNT }]
  return [...(there?.comments.filter((comment) => !isOurs(comment)) ?? []), ...ours]
}
