/** A managed file held in memory. It keeps the port's contract as far as a target can tell; the real one has tests of its own. */
import { sha256 } from '../../../../src/kernel/digest.ts'
import type { FileLook, ManagedFile, ReplaceOptions } from '../../../../src/ports/files.ts'

export class MemoryFile implements ManagedFile {
  readonly path = '/srv/traefik/routes.yml'
  look_now: FileLook = { kind: 'absent' }
  /** What the next call throws instead of working. */
  trouble: Error | null = null
  readonly writes: ReplaceOptions[] = []
  #changes = 0
  #hints = new Set<() => void>()

  get text(): string {
    return this.look_now.kind === 'file' ? Buffer.from(this.look_now.bytes).toString('utf8') : ''
  }

  /** What a stranger does. */
  put(content: string | Uint8Array | FileLook): void {
    if (typeof content === 'string' || content instanceof Uint8Array) this.look_now = fileOf(content)
    else this.look_now = content
    this.#changed()
  }

  glance(): string | null {
    return `${this.#changes}`
  }

  async look(signal: AbortSignal): Promise<FileLook> {
    signal.throwIfAborted()
    if (this.trouble !== null) throw this.trouble
    return this.look_now
  }

  async replace(chunks: readonly Uint8Array[], options: ReplaceOptions, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.trouble !== null) throw this.trouble
    this.look_now = fileOf(Buffer.concat(chunks))
    this.writes.push(options)
    this.#changed()
  }

  async placeFault(): Promise<string | null> {
    return this.look_now.kind === 'file' ? (this.look_now.access?.what ?? null) : null
  }

  async restoreMode(): Promise<void> {
    if (this.trouble !== null) throw this.trouble
    if (this.look_now.kind !== 'file') return
    this.look_now = fileOf(this.look_now.bytes)
    this.#changed()
  }

  watch(hint: () => void): { close(): void } {
    this.#hints.add(hint)
    return { close: () => void this.#hints.delete(hint) }
  }

  #changed(): void {
    this.#changes++
    for (const hint of this.#hints) hint()
  }
}

export function fileOf(content: string | Uint8Array): FileLook {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return { kind: 'file', digest: sha256([bytes]), bytes }
}
