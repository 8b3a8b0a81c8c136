/** An `authorized_keys` file held in memory, where somebody else may write at the worst moment. The real ones have a contract of their own. */
import { sha256 } from '../../../../src/kernel/digest.ts'
import { Failure } from '../../../../src/kernel/failure.ts'
import type {
  AuthorizedKeys,
  KeysReplacement,
  MakesKeys,
  SeenKeys,
} from '../../../../src/features/ssh-clients/authorized-keys-port.ts'
import { type FileLook, lookIdentity } from '../../../../src/ports/files.ts'

export class MemoryKeys implements AuthorizedKeys {
  readonly place = '/home/gate/.ssh/authorized_keys'
  stands: FileLook = { kind: 'absent' }
  /** What the next look throws. */
  trouble: Error | null = null
  /** Done by somebody else just before each of the next writes. */
  readonly meanwhile: string[] = []
  writes = 0

  get text(): string {
    return this.stands.kind === 'file' ? Buffer.from(this.stands.bytes).toString('latin1') : ''
  }

  put(text: string): void {
    const bytes = Buffer.from(text, 'latin1')
    this.stands = { kind: 'file', digest: sha256([bytes]), bytes }
  }

  glance(): string | null {
    return null
  }

  async look(signal: AbortSignal): Promise<FileLook> {
    signal.throwIfAborted()
    if (this.trouble !== null) throw this.trouble
    return this.stands
  }

  async see(signal: AbortSignal): Promise<SeenKeys> {
    return { look: await this.look(signal), way: null }
  }

  async rewrite(
    make: MakesKeys,
    replacement: Omit<KeysReplacement, 'expected'>,
    signal: AbortSignal,
  ): Promise<void> {
    const seen = await this.see(signal)
    const bytes = await make(seen)
    if (bytes !== null)
      await this.replace(bytes, { ...replacement, expected: lookIdentity(seen.look) }, signal)
  }

  async restoreMode(): Promise<void> {
    // It has none.
  }

  async replace(bytes: Uint8Array, { expected }: KeysReplacement, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const edit = this.meanwhile.shift()
    if (edit !== undefined) this.put(edit)
    if ((this.stands.kind === 'file' ? this.stands.digest : null) !== expected)
      throw new Failure('conflict', 'somebody was faster')
    this.put(Buffer.from(bytes).toString('latin1'))
    this.writes++
  }

  watch(): { close(): void } {
    return { close: () => undefined }
  }
}
