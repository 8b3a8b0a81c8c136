/** What a file may say, as kinds of nodes: the decoder is one walk over these. */

export type Scalar = 'text' | 'whole' | 'flag' | 'duration' | 'file'

export type Kind =
  | { readonly kind: Scalar }
  | { readonly kind: 'list'; readonly of: Kind }
  | { readonly kind: 'map'; readonly of: Kind }
  | { readonly kind: 'struct'; readonly fields: Fields; readonly may_be_empty: boolean }
  /** Of any form: what a plugin reads by itself. */
  | { readonly kind: 'anything' }

export type Fields = Readonly<Record<string, Kind>>

export const TEXT: Kind = { kind: 'text' }
export const WHOLE: Kind = { kind: 'whole' }
export const FLAG: Kind = { kind: 'flag' }
/** A bare number is seconds. */
export const DURATION: Kind = { kind: 'duration' }
/** Path of a file that is there, or else what it would hold. */
export const FILE: Kind = { kind: 'file' }
export const ANYTHING: Kind = { kind: 'anything' }

export const listOf = (of: Kind): Kind => ({ kind: 'list', of })
export const mapOf = (of: Kind): Kind => ({ kind: 'map', of })
/** `{}` is an error here: it "cannot be a standalone element". */
export const struct = (fields: Fields): Kind => ({ kind: 'struct', fields, may_be_empty: false })
/** `label:"allowEmpty"`. */
export const switchable = (fields: Fields): Kind => ({ kind: 'struct', fields, may_be_empty: true })
export const TEXTS = listOf(TEXT)

/** Several fields of one kind. */
export const fields = (kind: Kind, ...names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, kind]))
