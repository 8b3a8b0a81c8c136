/** Journal and audit trail of a stopped daemon, read past the store, which only writes them. */
import { join } from 'node:path'
import Database from 'better-sqlite3'

export interface Trail {
  /** `action id`, in order. */
  /** Of the changes that were asked for, not how they ended: that, a daemon that ends in between leaves untold, too. */
  readonly audit: readonly string[]
  /** How often it says that somebody's edit was undone: a daemon that ends in between leaves the repair untold. */
  readonly undone: number
  /** Digests that a journal step has led to, or should have. */
  readonly led_to: readonly string[]
  /** Journal steps without an end. */
  readonly left_open: number
}

export function readTrail(data_directory: string): Trail {
  const database = new Database(join(data_directory, 'plumbline.db'), { readonly: true, fileMustExist: true })
  const column = <T>(sql: string): T[] => database.prepare<[], T>(sql).pluck().all()
  try {
    return {
      audit: column(
        `SELECT action || ' ' || COALESCE(domain_id, '-') FROM audit
         WHERE action <> 'undo_edit' AND substr(action, -7) <> '_failed' ORDER BY id`,
      ),
      undone: column(`SELECT id FROM audit WHERE action = 'undo_edit'`).length,
      led_to: column(`SELECT after FROM journal ORDER BY id`),
      left_open: column<number>(`SELECT count(*) FROM journal WHERE outcome IS NULL`)[0]!,
    }
  } finally {
    database.close()
  }
}
