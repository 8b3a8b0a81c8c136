/**
 * The mark that says at the provider whose a set is: `plumbline:1:<installation>:<domain id>`, as the set's comment, or
 * where there are no comments as a TXT beside it. The ledger is what counts; the mark tells other installations, and us
 * after a lost database. Behind it stands how far our database was when it was written, `change=7:0123456789abcdef`, and
 * behind that what people wrote. A mark with an older number, or with none, is as right as any: it is written again only
 * with the set that it stands at.
 *
 * The format stands in the world for ever: the number after the name is its version, and what has another version is
 * somebody else's.
 */
import { isIP } from 'node:net'
import { changeText, readChange, type WorldStamp } from '../../../../model/world-stamp.ts'
import type { DnsTraits } from '../../providers/port.ts'

const MARK = /^plumbline:(\d+):([^:\s]*):?(\d*)(?:\s.*)?$/s
const VERSION = '1'
/** A mark is shorter than this; comments that cannot hold it are no place for one. */
const MAX_MARK = 80
const MAX_NAME = 253

export const markText = (installation_id: string, domain_id: number): string =>
  `plumbline:${VERSION}:${installation_id}:${domain_id}`

export type Mark =
  | { readonly kind: 'ours'; readonly domain_id: number }
  /** Of another installation, or of a version that we cannot read. */
  | { readonly kind: 'other'; readonly installation: string }

/** What a comment or a TXT says, or null when it is no mark. People may write more behind a mark. */
export function readMark(text: string, installation_id: string): Mark | null {
  const [, version, installation, domain_id] = MARK.exec(text) ?? []
  if (version === undefined) return null
  if (version === VERSION && installation === installation_id && domain_id !== '')
    return { kind: 'ours', domain_id: Number(domain_id) }
  return { kind: 'other', installation: installation || `version ${version}` }
}

interface OwnMark {
  readonly mark: string
  /** Null in a mark without a number. */
  readonly change: Pick<WorldStamp, 'number' | 'mark'> | null
  /** What people wrote behind it, with the blank before. */
  readonly rest: string
}

/** Null where a comment or a TXT does not begin with a mark of ours. */
function readOwn(text: string, installation_id: string): OwnMark | null {
  if (readMark(text, installation_id)?.kind !== 'ours') return null
  const mark = text.split(/\s/, 1)[0]!
  const behind = text.slice(mark.length)
  const change = readChange(behind.trimStart())
  return { mark, change, rest: change === null ? behind : behind.replace(/^\s+\S+/, '') }
}

/** How far the database was that wrote this mark of ours; null where it does not say. */
export function stampOf(text: string, installation_id: string): WorldStamp | null {
  const change = readOwn(text, installation_id)?.change ?? null
  return change === null ? null : { installation_id, ...change }
}

/** What people wrote behind a mark of ours. */
export const textBehind = (text: string, installation_id: string): string =>
  readOwn(text, installation_id)?.rest.trimStart() ?? text

/** A mark of ours without its number; any other text as it is. */
export function withoutNumber(text: string, installation_id: string): string {
  const own = readOwn(text, installation_id)
  return own === null ? text : `${own.mark}${own.rest}`
}

/** Where the number makes it longer than `most`, the text stays as it is: what people wrote is worth more. */
export function withNumber(text: string, stamp: WorldStamp, most: number): string {
  const own = readOwn(text, stamp.installation_id)
  if (own === null) return text
  const numbered = `${own.mark} ${changeText(stamp)}${own.rest}`
  return numbered.length <= most ? numbered : text
}

/** Where marks stand at this provider. */
export const marksBy = ({ comment_most }: DnsTraits): 'comment' | 'text' =>
  comment_most !== null && comment_most >= MAX_MARK ? 'comment' : 'text'

/**
 * `_plumbline.app.example.com`, for a wildcard `_plumbline._any.example.com`: no host name has an underscore, so no two
 * names share a mark. Null where that would be longer than a name can be.
 */
export function markName(name: string): string | null {
  const marked = name.startsWith('*.') ? `_plumbline._any.${name.slice(2)}` : `_plumbline.${name}`
  return marked.length > MAX_NAME ? null : marked
}

/** The type of the set that holds an address. */
export const typeOf = (address: string): 'A' | 'AAAA' => (isIP(address) === 6 ? 'AAAA' : 'A')
