/** Challenge records in a zone that lives in memory, with a stranger's value at the same name. */
import type { ChallengeRecord, ChallengeRecords } from '../../../../src/features/dns/challenges/port.ts'

export class FakeDns implements ChallengeRecords {
  /** `name value`. */
  readonly records = new Set<string>()
  /** How often it must be looked until the servers show what was written. */
  lag = 2
  /** Names for which it has no zone. */
  without_zone: readonly string[] = []
  #looks = new Map<string, number>()

  obstacle(record_name: string): Promise<string | null> {
    return Promise.resolve(this.without_zone.includes(record_name) ? `no zone holds ${record_name}` : null)
  }

  present(record: ChallengeRecord): Promise<void> {
    this.records.add(keyOf(record))
    return Promise.resolve()
  }

  remove(record: ChallengeRecord): Promise<void> {
    this.records.delete(keyOf(record))
    this.#looks.delete(keyOf(record))
    return Promise.resolve()
  }

  visible(record: ChallengeRecord): Promise<{ visible: boolean; detail: string | null }> {
    const key = keyOf(record)
    const looks = (this.#looks.get(key) ?? 0) + 1
    this.#looks.set(key, looks)
    const visible = this.shows(record) && looks > this.lag
    return Promise.resolve({ visible, detail: visible ? null : 'ns1.example.net does not show it' })
  }

  /** What the authority sees. */
  readonly shows = (record: ChallengeRecord): boolean => this.records.has(keyOf(record))
}

const keyOf = ({ name, value }: ChallengeRecord): string => `${name} ${value}`
