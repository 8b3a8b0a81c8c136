/** What a liar on the way to a name server can be told to do. */
export interface Liar {
  readonly port: number
  /** Changes of these names, and of the marks beside them, are accepted and not passed on. */
  promise(names: readonly string[]): void
  /** Whole listings do not show these names. @param everywhere neither does the answer about one name */
  hide(names: readonly string[], everywhere?: boolean): void
  /** Changes of these names are answered with 500, or this status, and not passed on; left out where nothing can answer so. */
  fail?(names: readonly string[], status?: number): void
  /** How often a change of this name and no other was asked for; left out where nobody counts. */
  tries?(name: string): number
  /** Questions about one name are cut off. */
  silence(is_silent: boolean): void
  /** The serial that was told last is told on, whatever changes; left out where changes can be made past it. */
  holdSerial?(is_held: boolean): void
  close(): Promise<void>
}

/** Without the closing dot, and without what makes it the name of a mark. */
export const bareName = (name: string): string => name.replace(/\.$/, '').replace(/^_plumbline\./, '')
