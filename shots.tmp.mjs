// usage: node shots.mjs BASE OUT role:path… ; env W,H,SCHEME
import { chromium } from "@playwright/test"
const [base, out, ...list] = process.argv.slice(2)
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium" })
const W = +(process.env.W ?? 1280), H = +(process.env.H ?? 860)
const ctxs = {}
for (const item of list) {
  const [role, path] = item.split("=")
  if (!ctxs[role]) {
    const c = await browser.newContext({ viewport: { width: W, height: H }, colorScheme: process.env.SCHEME ?? "light", timezoneId: "Europe/Berlin" })
    const p = await c.newPage()
    await p.goto(`${base}/login`); await p.getByLabel("Email address").fill(`${role}@example.com`); await p.getByLabel("Password").fill(process.env.PASS); await p.getByRole("button", { name: "Sign in" }).click(); await p.waitForURL(/console/); ctxs[role] = p
  }
  const p = ctxs[role]
  await p.goto(`${base}${path}`); await p.waitForTimeout(3000)
  await p.screenshot({ path: `${out}/${role}${path.replace(/[^a-z0-9]+/gi, "_")}.png` })
}
await browser.close()
