/**
 * The names that a controller keeps of clients: the one thing of it that is ever written.
 *
 * Contract. Each call ends with its signal and throws nothing but its reason. Reads go past every kept look.
 */
export interface ClientNames {
  /** Of the controller. */
  readonly name: string
  /** All that the site keeps, connected or not. */
  all(site: string, signal: AbortSignal): Promise<NamesAnswer<readonly KeptClient[]>>
  /** Null where it keeps none of that id. */
  one(site: string, id: string, signal: AbortSignal): Promise<NamesAnswer<KeptClient | null>>
  /** Where it is not known to have been written, it may have been. */
  rename(site: string, id: string, name: string, signal: AbortSignal): Promise<NamesAnswer<true>>
}

export interface KeptClient {
  readonly id: string
  readonly mac: string
  readonly name: string | null
  readonly hostname: string | null
}

export type NamesAnswer<T> =
  | { readonly known: true; readonly value: T }
  | {
      readonly known: false
      readonly detail: string
      /** The credential may not do it. */
      readonly refused: boolean
    }
