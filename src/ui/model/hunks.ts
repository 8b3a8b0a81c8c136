/** A unified diff as rows to draw: numbers of both sides, folded runs, our own marker set apart, changed words. */

export type RowKind = 'same' | 'add' | 'del'

export interface DiffRow {
  readonly kind: RowKind
  readonly left: number | null
  readonly right: number | null
  readonly text: string
  /** Where the changed words are: pairs of begin and end. */
  readonly marks: readonly (readonly [number, number])[]
}

export interface Fold {
  readonly kind: 'fold'
  readonly text: string
}

export type DiffPart = DiffRow | Fold

/** Lines that differ in every release and say nothing: the marker by which the proxy shows which file it runs. */
const NOISE = /plumbline-generation-[0-9a-f]{16}|X-Plumbline-Generation/

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/
/** The head of a file: its path, and behind a tab which edition of it. */
const FILE = /^--- ([^\t]+)/

/** Folds what lies between hunks, and hunks in which only the marker moved. Of several files each has its path over its lines. */
export function diffParts(unified: string): DiffPart[] {
  const parts: DiffPart[] = []
  let reached = 1
  const hunks = hunksOf(unified)
  const has_more = new Set(hunks.map(({ file }) => file)).size > 1
  for (const [at, hunk] of hunks.entries()) {
    if (hunk.file !== hunks[at - 1]?.file) {
      reached = 1
      if (has_more && hunk.file !== null) parts.push({ kind: 'fold', text: hunk.file })
    }
    const skipped = hunk.left - reached
    const noise = hunk.rows.filter(({ kind }) => kind !== 'same').every(({ text }) => NOISE.test(text))
    const last = hunk.rows.reduce((line, { left }) => Math.max(line, left ?? 0), hunk.left)
    const changed = hunk.rows.filter(({ kind }) => kind !== 'same').length
    if (noise) parts.push({ kind: 'fold', text: `generation marker, ${changed / 2} lines` })
    else {
      if (skipped > 0)
        parts.push({ kind: 'fold', text: `${skipped} ${skipped === 1 ? 'line' : 'lines'} unchanged` })
      parts.push(...marked(hunk.rows))
    }
    reached = last + 1
  }
  return joinedFolds(parts)
}

function joinedFolds(parts: readonly DiffPart[]): DiffPart[] {
  const joined: DiffPart[] = []
  for (const part of parts) {
    const before = joined.at(-1)
    if (part.kind === 'fold' && before?.kind === 'fold')
      joined[joined.length - 1] = { kind: 'fold', text: `${before.text} · ${part.text}` }
    else joined.push(part)
  }
  return joined
}

interface Hunk {
  readonly file: string | null
  readonly left: number
  readonly rows: DiffRow[]
}

function hunksOf(unified: string): Hunk[] {
  const hunks: Hunk[] = []
  let left = 0
  let right = 0
  let file: string | null = null
  // A hunk says how many lines it has of each side: what comes after them is the head of another file.
  let ends = { left: 0, right: 0 }
  for (const line of unified.split('\n')) {
    const head = HUNK.exec(line)
    if (head !== null) {
      left = Number(head[1])
      right = Number(head[3])
      ends = { left: left + Number(head[2] ?? 1), right: right + Number(head[4] ?? 1) }
      hunks.push({ file, left, rows: [] })
      continue
    }
    const rows = hunks.at(-1)?.rows
    const text = line.slice(1)
    if (left >= ends.left && right >= ends.right) {
      file = FILE.exec(line)?.[1] ?? file
      continue
    }
    if (rows === undefined) continue
    if (line.startsWith('+')) rows.push({ kind: 'add', left: null, right: right++, text, marks: [] })
    else if (line.startsWith('-')) rows.push({ kind: 'del', left: left++, right: null, text, marks: [] })
    else if (line.startsWith(' ')) rows.push({ kind: 'same', left: left++, right: right++, text, marks: [] })
  }
  return hunks
}

/** Runs of removed lines beside as many added ones are compared pair by pair. */
function marked(rows: readonly DiffRow[]): DiffRow[] {
  const out = [...rows]
  for (let i = 0; i < out.length;) {
    const dels = runOf(out, i, 'del')
    const adds = runOf(out, i + dels, 'add')
    if (dels > 0 && dels === adds)
      for (let k = 0; k < dels; k++) {
        const [before, after] = changedSpan(out[i + k]!.text, out[i + dels + k]!.text)
        out[i + k] = { ...out[i + k]!, marks: before }
        out[i + dels + k] = { ...out[i + dels + k]!, marks: after }
      }
    i += Math.max(1, dels + adds)
  }
  return out
}

function runOf(rows: readonly DiffRow[], from: number, kind: RowKind): number {
  let n = 0
  while (rows[from + n]?.kind === kind) n++
  return n
}

type Span = readonly (readonly [number, number])[]

const WORD = /[\w.-]+|\s+|[^\w\s]/g

/** What lies between the words that both lines begin with, and those that both end with. */
export function changedSpan(before: string, after: string): readonly [Span, Span] {
  const a = before.match(WORD) ?? []
  const b = after.match(WORD) ?? []
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head++
  let tail = 0
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++
  const begin = a.slice(0, head).join('').length
  const end = (words: readonly string[]) => words.slice(0, words.length - tail).join('').length
  const span = (words: readonly string[]): Span => (end(words) > begin ? [[begin, end(words)]] : [])
  return [span(a), span(b)]
}

/** `+23 −4`, without our own marker. */
export function lineCounts(unified: string): { readonly added: number; readonly removed: number } {
  const rows = diffParts(unified).filter((part): part is DiffRow => part.kind !== 'fold')
  const of = (kind: RowKind) => rows.filter((row) => row.kind === kind).length
  return { added: of('add'), removed: of('del') }
}
