/** File contents that tell a whole file from a torn one: a numbered head, a body of that number, a closing line. */
const LINES = 5000

export const generation = (number: number): Buffer[] => [
  Buffer.from(`begin ${number}\n`),
  ...Array.from({ length: LINES }, () => Buffer.from(`generation ${number}, one line of many\n`)),
  Buffer.from(`end ${number}\n`),
]

/** The number of a whole file. Throws for a torn one. */
export function numberOf(content: Uint8Array): number {
  const text = Buffer.from(content).toString()
  const number = Number(/^begin (\d+)\n/.exec(text)?.[1] ?? Number.NaN)
  if (!Buffer.concat(generation(number)).equals(content))
    throw new Error(`torn: ${text.length} bytes, beginning "${text.slice(0, 40)}"`)
  return number
}
