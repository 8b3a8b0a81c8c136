/** To ask a machine for its host key, without logging in. */
export interface HostPlace {
  readonly host: string
  readonly port: number
  /** The kind of key that is wanted: a server has several and shows one. Null: whichever it shows. */
  readonly type: string | null
}

export type HostContact =
  | {
      readonly known: true
      /** `type base64` */
      readonly key: string
    }
  | { readonly known: false; readonly detail: string }

/** Ends within some seconds. Throws only the signal's reason. */
export type ContactHost = (place: HostPlace, signal: AbortSignal) => Promise<HostContact>
