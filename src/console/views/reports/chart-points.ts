import type { Point } from "../../ui/draw-chart.ts"

/** Series, each with its numbers in the order of the places, as a figure takes them. */
export const pointsOf = (
  series: readonly (readonly [name: string, counts: readonly number[]])[],
  places: readonly string[],
): { series: string[]; points: Point[] } => ({
  series: series.map(([name]) => name),
  points: series.flatMap(([name, counts]) =>
    places.map((at, place) => ({ series: name, at, value: counts[place] ?? 0 })),
  ),
})

/** Names of which none is there twice: the second of a name is `Name (2)`. */
export function distinct(names: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return names.map((name) => {
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    return times === 1 ? name : `${name} (${times})`
  })
}
