/**
 * How an owner declares one setting: its name in the environment, its grammar, its default and a sentence of help.
 *
 * A value is always text first. The schema turns the text into the value or says what is wrong as the end of the
 * sentence `NAME "text" …`. Defaults are written in the same grammar, so that the documentation shows what would be
 * typed.
 */
import type { z } from 'zod'
import type { Secret } from '../kernel/secret.ts'

export interface Setting<T> {
  readonly name: string
  readonly schema: z.ZodType<T, string>
  /** Null: the setting has no value until somebody sets it. */
  readonly default: string | null
  /** The default is a path inside the directory that this other setting names. */
  readonly default_in: string | null
  /** A value as somebody may type it; null for secrets. */
  readonly example: string | null
  readonly help: string
  readonly secret: boolean
  /** The value as it would be typed. Never called for secrets. */
  readonly show: (value: T) => string
  /** A remark about a value that is allowed but unwise, or null. */
  readonly warn: (value: T) => string | null
}

export type AnySetting = Setting<unknown>

/** Settings by their owner. */
export type AnySections = Readonly<Record<string, Section>>

/** What of a setting does not depend on the type of its value. */
type Section = Readonly<
  Record<string, Pick<AnySetting, 'name' | 'default' | 'default_in' | 'help' | 'secret'>>
>

/** What the settings of a section are set to: `ValuesOf<typeof edges>`. */
export type ValuesOf<Section> = {
  readonly [Key in keyof Section]: Section[Key] extends Setting<infer Value> ? Value : never
}

interface Declaration<T> {
  readonly name: string
  readonly schema: z.ZodType<T, string>
  readonly help: string
  readonly example?: string
  readonly show?: (value: T) => string
  readonly warn?: (value: T) => string | null
}

/** A setting that always has a value. */
export const setting = <T>(
  declared: Declaration<T> & { readonly default: string; readonly default_in?: string },
): Setting<T> => ({
  ...common,
  ...declared,
})

/** A setting that is null until it is set. */
export const optional = <T>(declared: Declaration<T>): Setting<T | null> => ({
  ...common,
  ...(declared as Declaration<T | null>),
  default: null,
})

/** A setting that is null until it is set and is never shown. It has a `_FILE` twin and may be a systemd credential. */
export const secret = (declared: Declaration<Secret>): Setting<Secret | null> => ({
  ...common,
  ...(declared as Declaration<Secret | null>),
  default: null,
  secret: true,
})

const common = { secret: false, default_in: null, example: null, show: String, warn: () => null }
