/** The command line that carries out what a rehearsal has shown, as a person copies it. Pure. */
import { shellWord } from '../../kernel/text/shell-word.ts'

/** What belongs to the rehearsal, and what answers the question that is answered by the hash. */
const FLAGS: ReadonlySet<string> = new Set(['--dry-run', '--yes', '-y', '--json'])
const VALUES: ReadonlySet<string> = new Set(['--out', '-o', '--confirm'])

/** @param said the words as they were typed, from the verb on */
export const confirmedLine = (said: readonly string[], hash: string): string =>
  ['plumbline', ...kept(said), '--confirm', hash].join(' ')

/** The same rehearsal once more. */
export const repeatedLine = (said: readonly string[]): string =>
  ['plumbline', ...said.map(shellWord)].join(' ')

function kept(said: readonly string[]): readonly string[] {
  const kept: string[] = []
  for (let at = 0; at < said.length; at++) {
    const word = said[at]!
    if (FLAGS.has(word)) continue
    if (VALUES.has(word)) at++
    else if (!/^(?:--(?:out|confirm)=|-o.)/.test(word)) kept.push(shellWord(word))
  }
  return kept
}
