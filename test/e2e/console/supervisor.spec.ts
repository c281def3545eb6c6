import { type Connection, call, connect, json, PASSWORD } from "../../../scripts/lib/client.ts"
import { expect, test } from "../fixtures.ts"
import { mailsWith } from "../support/mails.ts"
import type { ConsolePage } from "./console-page.ts"

const DAY_MS = 86_400_000
/** Rules are evaluated, and mails sent, in the background. */
const BACKGROUND_TIMEOUT = 60_000

const toDay = (at: number) => new Date(at).toISOString().slice(0, 10)

const post = async <T>(who: Connection, path: string, body: object) => json<T>(await call(who, "POST", path, body))

/** A time zone in which it is noon, so that reminders do not wait for the end of the night. */
function noonZone(): string {
  const offset = 12 - new Date().getUTCHours()
  return offset === 0 ? "UTC" : `Etc/GMT${offset > 0 ? "-" : "+"}${Math.abs(offset)}`
}

/** A supervisor of a group with one learner whose training is overdue, and a learner of another group. */
async function teams({ url, unique }: ConsolePage) {
  const admin = await connect(url, "admin@example.com", PASSWORD)
  const create = async (firstName: string, userType: string) => {
    const email = `${firstName}.${unique}@example.com`.toLowerCase()
    const { id } = await post<{ id: number }>(admin, "/api/user/create", {
      firstName,
      lastName: `Stone ${unique}`,
      email,
      password: PASSWORD,
      password_confirmation: PASSWORD,
      userType,
      customUserMetas: { region: "North" },
      timeZone: noonZone(),
    })
    return { id, email, name: `${firstName} Stone ${unique}` }
  }
  const [supervisor, own, other] = [
    await create("Sara", "group_admin"),
    await create("Olga", "general"),
    await create("Tom", "general"),
  ]
  const group = `Loading dock ${unique}`
  const groups = [
    await post<{ id: number }>(admin, "/api/group/create", {
      name: group,
      user_ids: [own.id],
      admin_ids: [supervisor.id],
    }),
    await post<{ id: number }>(admin, "/api/group/create", { name: `Office ${unique}`, user_ids: [other.id] }),
  ]
  const text = await post<{ id: number }>(admin, "/api/modules/text", { name: "Ramps", content: "<p>Slowly.</p>" })
  const course = `Loading safely ${unique}`
  const { id: courseId } = await post<{ id: number }>(admin, "/api/course/create", {
    name: course,
    status: "publish",
    modules: [{ module_id: text.id }],
  })
  await post(admin, "/api/assignment-rule/create", {
    name: `Dock safety ${unique}`,
    courseIds: [courseId],
    audience: { group: groups.map(({ id }) => id) },
    due: { type: "date", date: toDay(Date.now() - 3 * DAY_MS) },
  })
  return { supervisor, own, other, group, course }
}

test("A supervisor finds who is overdue in their team, reminds, extends, and schedules a report", async ({
  page,
  signIn,
  service,
}) => {
  test.setTimeout(240_000)
  const app = await signIn("admin@example.com")
  const { supervisor, own, other, group, course } = await teams(app)
  const { unique } = app
  const dialog = page.getByRole("dialog")
  await app.signIn(supervisor.email)

  await test.step("sees the team's overdue training, and nobody else's", async () => {
    await expect(async () => {
      await app.goto("/due?dueStatus=overdue")
      await expect(page.getByRole("link", { name: own.name })).toBeVisible({ timeout: 2000 })
    }).toPass({ timeout: BACKGROUND_TIMEOUT })
    await expect(page.getByText(other.name)).toHaveCount(0)
    await app.expectAccessible("team")
    await app.goto("")
    await app.expectAccessible("home")
  })

  await test.step("sees the team, most overdue first, and exports it", async () => {
    await app.navigate("Due training", "Team")
    const row = page.getByRole("row", { name: own.name })
    await expect(row).toBeVisible()
    await expect(page.getByText(other.name)).toHaveCount(0)
    await app.expectAccessible("team by person")
    await row.getByRole("link", { name: `${own.name}, Overdue: 1` }).click()
    await expect(page.getByRole("link", { name: own.name })).toBeVisible()
    await app.goto("/team")
    await page.getByRole("button", { name: "Export list" }).click()
    await expect(page.getByRole("heading", { level: 3, name: "Team training" })).toBeVisible()
    await expect(page.getByRole("link", { name: "Download" }).first()).toBeVisible({ timeout: BACKGROUND_TIMEOUT })
  })

  const act = async (action: string, fill?: () => Promise<void>) => {
    await app.goto("/due")
    await page.getByLabel(`Select ${own.name}, ${course}`).check()
    await page.getByRole("button", { name: action }).click()
    await fill?.()
    await app.expectAccessible(action)
    await dialog.getByRole("button", { name: action }).click()
    await expect(dialog).toHaveCount(0)
  }

  await test.step("reminds the learner, who gets a mail", async () => {
    await act("Send reminder")
    await expect
      .poll(() => mailsWith(service.stateDir, course).filter((html) => html.includes("Olga")), {
        timeout: BACKGROUND_TIMEOUT,
      })
      .not.toEqual([])
  })

  await test.step("extends the due date with a reason", async () => {
    await act("Extend due date", async () => {
      await dialog.getByLabel("New due date").fill(toDay(Date.now() + 20 * DAY_MS))
      await dialog.getByLabel("Reason").fill("Night shift")
    })
    await expect(page.getByRole("row", { name: own.name })).toContainText(/On track|Due soon/)
  })

  await test.step("schedules a weekly report of the team", async () => {
    const name = `Dock ${unique}`
    await app.navigate("Reports", "Scheduled reports")
    await page.getByRole("button", { name: "New scheduled report" }).first().click()
    await dialog.getByLabel("Name", { exact: true }).fill(name)
    await dialog.getByLabel("Report", { exact: true }).selectOption("Due training by person")
    await dialog.getByRole("combobox", { name: "Group" }).fill(group)
    await dialog.getByRole("option", { name: group }).click()
    await app.expectAccessible("new schedule")
    await dialog.getByRole("button", { name: "Create" }).click()
    await expect(page.getByRole("row", { name })).toContainText("Weekly")
    await app.expectAccessible("schedules")
  })

  await test.step("finds the reason in the transcript of the learner", async () => {
    await app.goto(`/users/${own.id}?tab=transcript`)
    await app.expectText(/Night shift/)
    await app.expectAccessible("transcript")
    app.allowStatus(404)
    await app.goto(`/users/${other.id}`)
    await app.expectText("No such user.")
  })
})
