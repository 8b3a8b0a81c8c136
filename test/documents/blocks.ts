/** The command blocks of a Markdown page: where each stands, and the reason why it is not run, where one is given. */
export interface Block {
  /** Of its first command, counted from 1. */
  readonly line: number
  readonly text: string
  /** From `<!-- not run: REASON -->` right above it. */
  readonly not_run: string | null
}

const SHELLS = new Set(['sh', 'bash', 'shell', 'zsh', 'console', 'shell-session'])
const FENCE = /^ *(`{3,}|~{3,}) *([^ `]*)/
const MARK = /^<!-- not run: (.+) -->$/

interface Page {
  readonly blocks: readonly Block[]
  /** Blocks in any other language; an empty one where none is said. */
  readonly others: readonly { readonly language: string; readonly line: number; readonly text: string }[]
  /** Lines of marks that stand above no command block. */
  readonly stray_marks: readonly number[]
}

export function readPage(page: string): Page {
  const lines = page.split('\n')
  const blocks: Block[] = []
  const others: { language: string; line: number; text: string }[] = []
  const marks = new Map<number, string>()
  for (let at = 0; at < lines.length; at++) {
    const reason = MARK.exec(lines[at]!)?.[1]
    if (reason !== undefined) marks.set(at, reason)
    const fence = FENCE.exec(lines[at]!)
    if (fence === null) continue
    const [, ticks, language] = fence
    const end = lines.findIndex((line, i) => i > at && line.trim() === ticks)
    if (end === -1) throw new Error(`The block that begins in line ${at + 1} has no end.`)
    const block = { line: at + 2, text: lines.slice(at + 1, end).join('\n') }
    if (SHELLS.has(language!.toLowerCase())) {
      const above = lines[at - 1] === '' ? at - 2 : at - 1
      blocks.push({ ...block, not_run: marks.get(above) ?? null })
      marks.delete(above)
    } else others.push({ ...block, language: language! })
    at = end
  }
  return { blocks, others, stray_marks: [...marks.keys()].map((at) => at + 1) }
}

/** One script of all blocks that are run, each command in the line that it has on the page. */
export function scriptOf(blocks: readonly Block[]): string {
  const lines: string[] = []
  for (const { line, text, not_run } of blocks) {
    if (not_run !== null) continue
    while (lines.length < line - 1) lines.push('')
    lines.push(...text.split('\n'))
  }
  return `${lines.join('\n')}\n`
}

export interface Claims {
  /** `# …; exit 2`: by line, the exit code that is not 0. */
  readonly exits: ReadonlyMap<number, number>
  /** `# "clean"`: by line, what the command prints. */
  readonly prints: readonly { readonly line: number; readonly text: string }[]
}

/** What comments at the end of commands say of them. */
export function claimsOf(script: string): Claims {
  const exits = new Map<number, number>()
  const prints: { line: number; text: string }[] = []
  script.split('\n').forEach((text, i) => {
    const comment = /\S.*?\s#\s(.*)$/.exec(text)?.[1]
    if (comment === undefined) return
    const exit = /\bexit (\d+)\b/.exec(comment)?.[1]
    if (exit !== undefined) exits.set(i + 1, Number(exit))
    for (const [, said] of comment.matchAll(/"([^"]+)"/g)) prints.push({ line: i + 1, text: said! })
  })
  return { exits, prints }
}
