/** Making a program read its files again: by a restart, or by whatever does the same. */
export interface Restarter {
  /** What is done, for people. */
  readonly how: string
  /** Resolves when it is done. Throws a Failure (`component_unavailable`) that says why it was not. Doing it twice does no harm. */
  restart(signal: AbortSignal): Promise<void>
}
