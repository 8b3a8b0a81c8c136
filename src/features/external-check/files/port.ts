/** Where a run keeps what it found. Writing throws `storage_full` or `storage_unwritable`; then the old file stands. */
export interface Kept {
  /** Null where there is none; `fault` where it cannot be read. */
  read(): { readonly text: string | null; readonly fault: string | null }
  /** What was told of the last run; null where there is none that can be read. */
  lastResult(): string | null
  saveMemory(text: string): Promise<void>
  saveResult(text: string): Promise<void>
  readonly state_path: string
}
