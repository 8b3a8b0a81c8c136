/**
 * Remembers certificates whose files were gone and are back. The proxy reads keys and chains when its own file changes, and may
 * have passed over them: so that file is written once more, with the same bytes.
 */
import type { Reading } from '../target/inventory.ts'
import { soundnessIn } from '../target/observe.ts'

export class ReturnedFiles {
  /** By fingerprint; `all` after the whole folder was gone. */
  #absent: ReadonlySet<string> | 'all' = new Set()
  #returned: ReadonlySet<string> = new Set()

  /** The folder itself is gone. */
  allAbsent(): void {
    this.#absent = 'all'
  }

  /** Whether the proxy is to read its file once more. */
  observe(reading: Pick<Reading, 'certificates' | 'chains' | 'versions'>): boolean {
    const all = [...reading.certificates.values()]
    const absent = new Set(
      all.filter(({ name }) => isAbsent(reading, name)).map(({ fingerprint }) => fingerprint),
    )
    const present = all.map(({ fingerprint }) => fingerprint).filter((one) => !absent.has(one))
    const before = this.#absent
    this.#returned = new Set(
      present.filter((one) => this.#returned.has(one) || before === 'all' || before.has(one)),
    )
    this.#absent = absent
    return this.#returned.size > 0
  }

  /** The proxy's file was written. */
  written(): void {
    this.#returned = new Set()
  }
}

/** What is put right from what is kept makes the proxy read its file by itself. */
function isAbsent(reading: Parameters<ReturnedFiles['observe']>[0], name: string): boolean {
  const sound = soundnessIn(reading, name)
  return sound !== null && sound.fault !== null && sound.mends.length === 0
}
