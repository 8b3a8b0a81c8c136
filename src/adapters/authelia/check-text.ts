/** The provider's own command, asked about a text that is nowhere yet. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Milliseconds } from '../../kernel/clock.ts'
import { runCommand } from '../../kernel/run-command.ts'
import { type CheckVerdict, checkVerdict } from '../../model/access/config-check.ts'

const LONGEST_RUN_MS: Milliseconds = 30_000

/** The text in a file of its own, in a folder that nobody else can look into and that nothing watches. */
export async function checkText(
  check: readonly string[],
  text: string,
  signal: AbortSignal,
): Promise<CheckVerdict> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-rules-'))
  try {
    const file = join(folder, 'access-control.yml')
    await writeFile(file, text, { mode: 0o600, signal })
    const ran = await runCommand(
      check.map((word) => word.replaceAll('{file}', file)),
      { most_ms: LONGEST_RUN_MS, signal },
    )
    return checkVerdict(ran)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
