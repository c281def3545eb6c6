// A bar chart of the cost of a learner-year by resource, as SVG.
import { type Cost, type Resource, sumDollars } from "./report.ts"

const WIDTH = 760
const BAR = 18
const LEFT = 230
const NOW = "#1f6feb"
const BEFORE = "#b6bcc6"

/** Draws one run, or two runs with two bars for each resource. */
export function renderPlot(now: Cost, then?: Cost): string {
  const resources = (Object.keys(now.dollars) as Resource[]).sort((a, b) => now.dollars[b] - now.dollars[a])
  const runs = [...(then ? [{ of: then, color: BEFORE }] : []), { of: now, color: NOW }]
  const most = Math.max(...runs.flatMap(({ of }) => Object.values(of.dollars)))
  const cents = (dollars: number) => (dollars * 100).toFixed(4)
  const row = runs.length * BAR + 10
  const height = 50 + resources.length * row
  const bars = resources.flatMap((resource, at) => {
    const top = 44 + at * row
    const label = `<text x="${LEFT - 10}" y="${top + (runs.length * BAR) / 2 + 5}" text-anchor="end">${resource}</text>`
    return [
      label,
      ...runs.flatMap(({ of, color }, i) => {
        const long = Math.max(1, Math.round((of.dollars[resource] / most) * (WIDTH - LEFT - 90)))
        const y = top + i * BAR
        return [
          `<rect x="${LEFT}" y="${y}" width="${long}" height="${BAR - 2}" fill="${color}"/>`,
          `<text x="${LEFT + long + 6}" y="${y + 13}">${cents(of.dollars[resource])}</text>`,
        ]
      }),
    ]
  })
  const sums = `now ${cents(sumDollars(now.dollars))}${then ? `, then ${cents(sumDollars(then.dollars))}` : ""}`
  const title = `Cents for a learner-year, by what is paid for: ${sums}`
  const box = `viewBox="0 0 ${WIDTH} ${height}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${box} font-family="sans-serif" font-size="13">
<title>${title}</title>
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
<text x="10" y="24" font-size="15">${title}</text>
${bars.join("\n")}
</svg>
`
}
