/** Writing for systemd's journal: it stamps the time itself and reads a line's priority from a `<N>` in front (sd-daemon(3)). */
import { fstatSync } from 'node:fs'

const PRIORITIES: Readonly<Record<string, number>> = { debug: 7, info: 6, warn: 4, error: 3 }

/** Every line of the text begins with the priority. */
export const withPriority = (level: string, text: string): string =>
  text.replaceAll(/^(?=.)/gm, `<${PRIORITIES[level] ?? 3}>`)

/**
 * Whether the descriptor leads to the journal. The variable alone is not enough: it is inherited by children whose
 * output goes elsewhere, so its device and inode are compared (systemd.exec(5), `$JOURNAL_STREAM`).
 */
export function isJournal(descriptor: number, journal_stream: string | undefined): boolean {
  if (journal_stream === undefined) return false
  try {
    const { dev, ino } = fstatSync(descriptor)
    return journal_stream === `${dev}:${ino}`
  } catch {
    return false
  }
}
