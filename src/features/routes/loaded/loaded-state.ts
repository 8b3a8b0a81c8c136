/** Whether the proxy runs the routes file, as far as it was seen. */
export interface LoadedState {
  /** Null where it cannot be told. */
  readonly loaded: boolean | null
  /** Why it is not so or not known, else null. */
  readonly detail: string | null
  /** Markers of ours that the proxy shows; empty while it was not seen. */
  readonly markers: readonly string[]
}
