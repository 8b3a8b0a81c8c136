/** Activations that were accepted and whose end nobody has seen yet. What a start finds was cut off. */
import type { Instant } from '../../kernel/clock.ts'

export interface ActivationReader {
  /** Ids of the records, lowest first. */
  openActivations(): Promise<readonly number[]>
}

export interface ActivationWriter {
  openActivation(domain_id: number, at: Instant): Promise<void>
  /** Nothing happens where none is open. */
  closeActivation(domain_id: number): Promise<void>
}
