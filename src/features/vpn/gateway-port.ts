/** To read the export of a site's gateway. */

export interface GatewayPlace {
  readonly host: string
  readonly port: number
}

/** What may be known of a host key before it is shown. */
export interface KnownHost {
  /** Any one of them; from the setting. Empty where none is pinned. */
  readonly pins: readonly { readonly type: string | null; readonly fingerprint: string }[]
  /** The one that it showed at the first contact, `type base64`; null before it. */
  readonly first: string | null
}

export type GatewayAnswer =
  | {
      readonly known: true
      /** What the forced command wrote. */
      readonly text: string
      /** The host key of a gateway of which none was known. */
      readonly first_key: string | null
    }
  | {
      readonly known: false
      /**
       * `refused`: it is there, and what it shows or lets us do is not what was agreed. `unreadable`: it let us in, and what
       * it wrote is no export.
       */
      readonly status: 'unreachable' | 'refused' | 'unreadable'
      readonly detail: string
    }

export interface Gateway {
  /**
   * Logs in once. `is_first` also makes sure that the key runs nothing but the export, whatever is asked for. Ends within 8 s.
   * Throws only the signal's reason.
   */
  read(known: KnownHost, is_first: boolean, signal: AbortSignal): Promise<GatewayAnswer>
}
