/** Conditions across fields, in the words of JSON Schema: for the description; parsers and refinements judge. */
type Condition = Readonly<Record<string, unknown>>

/** All of the fields are there. */
export const having = (...names: readonly string[]): Condition => ({
  properties: Object.fromEntries(names.map((name) => [name, {}])),
  required: names,
})

/** The field is there and has this value. */
export const being = (field: string, value: unknown): Condition => ({
  properties: { [field]: { const: value } },
  required: [field],
})

/** Null: nothing follows. */
export const when = (condition: Condition, follows: Condition | null, otherwise?: Condition): Condition =>
  Object.fromEntries([
    ['if', condition],
    ...(follows === null ? [] : [['then', follows]]),
    ...(otherwise === undefined ? [] : [['else', otherwise]]),
  ]) as Condition
