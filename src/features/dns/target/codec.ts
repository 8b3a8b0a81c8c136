/** Keeps a desired state as lines of canonical JSON, cut where the names say, so that one edited record changes one chunk. */
import type { Codec } from '../../../engine/target.ts'
import { canonicalJson, sha256 } from '../../../kernel/digest.ts'
import { Failure } from '../../../kernel/failure.ts'
import { canonicalRows } from './canonical.ts'
import type { DnsDesired, NamedRow } from './desire.ts'

/** The form of the lines. Releases are kept for ever, so a later form must still read this one. */
const FORM = 1
const LISTS = ['wanted', 'kept', 'retired', 'unpublished'] as const
/** How many lines share a chunk on average, less one; a power of two less one. */
const CUT_MASK = 127

export const dnsCodec: Codec<DnsDesired> = {
  freeze(desired) {
    const chunks = cut(desired).map((text) => Buffer.from(text))
    return { digest: sha256(chunks), chunks }
  },
  thaw(chunks) {
    const [head, ...lines] = Buffer.concat(chunks).toString('utf8').trimEnd().split('\n')
    const form = (JSON.parse(head!) as { form?: unknown }).form
    if (form !== FORM)
      throw new Failure(
        'internal',
        `dns: a release is kept in form ${String(form)}, which is not known here.`,
      )
    const thawed = Object.fromEntries(LISTS.map((list) => [list, [] as unknown[]])) as Record<
      (typeof LISTS)[number],
      unknown[]
    >
    for (const line of lines) {
      const [list, row] = JSON.parse(line) as [(typeof LISTS)[number], unknown]
      thawed[list].push(row)
    }
    return thawed as unknown as DnsDesired
  },
}

/** Texts of one chunk each, the head first. */
function cut(desired: DnsDesired): string[] {
  const texts: string[] = []
  let text = `${canonicalJson({ form: FORM })}\n`
  const end = () => {
    if (text !== '') texts.push(text)
    text = ''
  }
  end()
  const rows = canonicalRows(desired)
  for (const list of LISTS) {
    for (const row of rows[list] as readonly NamedRow[]) {
      text += `${JSON.stringify([list, row])}\n`
      if (isCut(row.name)) end()
    }
    end()
  }
  return texts
}

/** FNV-1a of the name, so that a cut never depends on neighbours. */
function isCut(name: string): boolean {
  let hash = 0x811c9dc5
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193)
  return (hash & CUT_MASK) === 0
}
