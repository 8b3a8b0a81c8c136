/** The page of the console as files that browsers load, however they were made. */

export interface Asset {
  /** `main-4F3QK2LD.js`: its digest is in its name, so that it never changes. */
  readonly name: string
  /** Content-Type. */
  readonly type: string
  readonly bytes: Uint8Array
}

export interface Bundle {
  readonly assets: readonly Asset[]
  /** Names of those that the document loads. */
  readonly script: string
  readonly style: string | null
  readonly icon: string | null
}

export interface Bundles {
  /** Made at the first call, and once however many wait for it. Throws where it cannot be made; a later call tries again. */
  get(): Promise<Bundle>
  /** Nothing of it runs any more. */
  stop(): Promise<void>
}
