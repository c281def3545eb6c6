import type { ChartPoint } from "../../ui/chart-layout.ts"

/** Converts series of numbers, in the order of the labels, to the props of a Chart. */
export const toChartSeries = (
  series: readonly (readonly [name: string, counts: readonly number[]])[],
  labels: readonly string[],
): { series: string[]; points: ChartPoint[] } => ({
  series: series.map(([name]) => name),
  points: series.flatMap(([name, counts]) =>
    labels.map((label, index) => ({ series: name, at: label, value: counts[index] ?? 0 })),
  ),
})

/** Makes duplicate names unique: the second one becomes `Name (2)`. */
export function uniqueNames(names: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  })
}
