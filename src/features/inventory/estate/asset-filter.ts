/** What a list of assets is narrowed to. Names count whatever their case; what nobody has is refused, with the nearest names. Pure. */
import { Failure, fieldError } from '../../../kernel/failure.ts'
import { didYouMean } from '../../../kernel/text/nearest.ts'
import type { Numbering } from '../numbers/evaluate.ts'
import { numberOf } from '../numbers/names.ts'
import type { Asset } from './assets.ts'
import type { Estate } from './estate.ts'

/** As it was asked for: names, or numbers by the scheme. */
export interface AssetQuery {
  readonly q: string | null
  readonly node: string | null
  readonly purpose: string | null
  readonly state: string | null
  readonly cluster: string | null
}

/** Throws `validation_failed` for a node, purpose or cluster that is not there. */
export function narrowed(
  assets: readonly Asset[],
  query: AssetQuery,
  { estate, numbering }: { readonly estate: Estate; readonly numbering: Numbering },
): readonly Asset[] {
  const words = query.q?.toLowerCase() ?? ''
  const wanted = {
    node: query.node === null ? null : nodeOf(query.node, { estate, numbering }),
    purpose: query.purpose === null ? null : purposeOf(query.purpose, numbering),
    cluster: query.cluster === null ? null : clusterOf(query.cluster, estate),
    state: query.state,
  }
  const is = (one: string | null, had: string | null) => one === null || one === had
  if (words === '' && Object.values(wanted).every((one) => one === null)) return assets
  return assets.filter(
    (asset) =>
      is(wanted.node, asset.node) &&
      is(wanted.purpose, asset.purpose) &&
      is(wanted.cluster, asset.cluster) &&
      is(wanted.state, asset.state) &&
      (words === '' || textOf(asset).includes(words)),
  )
}

const textOf = ({ vmid, name, addresses, macs, tags, domains }: Asset): string =>
  [vmid ?? '', name, ...addresses, ...macs, ...tags, ...domains].join(' ').toLowerCase()

const purposeOf = (text: string, { purposes }: Numbering): string =>
  purposes.get(numberOf(purposes, { field: 'purpose', text, setting: 'PLUMBLINE_VMID_PURPOSES' }))!

/** A name before a number: a host may be called 1. */
function nodeOf(
  text: string,
  { estate, numbering }: { readonly estate: Estate; readonly numbering: Numbering },
): string {
  const names = new Set([
    ...(estate.nodes ?? []).map(({ name }) => name),
    ...estate.numbers.map(({ node }) => node),
    ...(numbering.nodes?.values() ?? []),
  ])
  const named = nameIn(names, text)
  if (named !== null) return named
  const numbered = /^\d{1,9}$/.test(text) ? numbering.nodes?.get(Number(text)) : undefined
  if (numbered !== undefined) return numbered
  // While a cluster does not tell its hosts, it may have one of that name.
  if (estate.nodes === null) return text
  throw unknownName('node', text, names)
}

function clusterOf(text: string, { sources }: Estate): string {
  const names = sources.flatMap(({ kind, name }) => (kind === 'docker' ? [] : (name ?? [])))
  const named = nameIn(names, text)
  if (named === null) throw unknownName('cluster', text, names)
  return named
}

/** As it is written where it is known; exactly that before one of another case. */
function nameIn(names: Iterable<string>, text: string): string | null {
  const all = [...names]
  if (all.includes(text)) return text
  return all.find((name) => name.toLowerCase() === text.toLowerCase()) ?? null
}

const SHOWN = 20

function unknownName(field: string, text: string, names: Iterable<string>): Failure {
  const known = [...names].toSorted().slice(0, SHOWN).join(', ')
  const msg = `"${text.slice(0, 80)}" is no ${field}.${didYouMean(text, names)} There are: ${known === '' ? 'none' : known}`
  return new Failure('validation_failed', `query.${field}: ${msg}`, {
    errors: [fieldError(['query', field], msg, 'unknown_name')],
  })
}
