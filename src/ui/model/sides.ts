/** Three texts beside each other: of many lines only those that are not in all three. */

export type Sides = readonly [saved: string | null, released: string | null, there: string | null]

const MAX_WHOLE = 2

/** Short texts stay as they are; of long ones the lines in common are left out. */
export function movedLines(sides: Sides): Sides {
  const lines = sides.map((side) => side?.replace(/\n$/, '').split('\n') ?? null)
  const known = lines.filter((own) => own !== null)
  if (known.every((own) => own.length <= MAX_WHOLE) || known.length < 2) return sides
  const common = (line: string) => known.every((own) => own.includes(line))
  const [saved = null, released = null, there = null] = lines.map((own) => {
    const moved = own?.filter((line) => !common(line)).map((line) => line.trim()) ?? []
    // What only the others have is not there.
    return moved.length === 0 ? null : moved.join('\n')
  })
  // All have the same lines, in another order.
  return saved === null && released === null && there === null ? sides : [saved, released, there]
}
