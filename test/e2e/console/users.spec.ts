import { type Connection, call, connect, json, PASSWORD } from "../../../scripts/lib/client.ts"
import { expect, test } from "../fixtures.ts"
import type { ConsolePage } from "./console-page.ts"

const today = () => new Date().toISOString().slice(0, 10)

/** A new learner, enrolled in a course and in one of its classes. */
async function enrolledLearner(app: ConsolePage) {
  const admin = await connect(app.url, "admin@example.com", PASSWORD)
  const post = async <T>(path: string, body: object) => json<T>(await call(admin, "POST", path, body))
  const email = `ivo.${app.unique}@example.com`.toLowerCase()
  const { id } = await post<{ id: number }>("/api/user/create", {
    firstName: "Ivo",
    lastName: `Marsh ${app.unique}`,
    email,
    userType: "general",
    customUserMetas: { region: "North" },
    sendInvitation: true,
  })
  await post("/api/course/enroll", { course_ids: [1], user_ids: [id] })
  const ahead = "page_size=1&page_number=1&search_param[courseName]=Leading&order_by[colName]=start_time"
  const classes = await json<{ records: { id: number }[] }>(
    await call(admin, "GET", `/api/class/tabularlist?${ahead}&order_by[direction]=asc&search_param[dates]=${today()},`),
  )
  await post(`/api/class/enroll/${classes.records[0]?.id}`, { studentIds: [id] })
  return { admin, id, email, name: `Ivo Marsh ${app.unique}` }
}

const statusOf = async (who: Connection, path: string) => (await call(who, "GET", path)).status

test("An administrator finds a learner as they type", async ({ page, signIn }) => {
  const app = await signIn("admin@example.com")

  await app.navigate("Users")
  await page.getByLabel("Search by name or email").fill("garc")
  await app.expectText(/^1 of \d/)
  await app.expectAccessible("found")
  expect(page.url()).toMatch(/nameOrEmail=garc/)
  await page.reload()
  await app.waitUntilLoaded()
  await app.expectText("Lucía García")

  await page.getByRole("button", { name: "Clear filters" }).click()
  await page
    .getByRole("checkbox", { name: /^Select / })
    .nth(1)
    .check()
  await app.expectText("1 selected")
  await page.getByRole("button", { name: "Next" }).click()
  await expect(page.getByText("1 selected"), "rows of another page are not selected").toHaveCount(0)

  // The role is chosen before the search starts.
  await page.getByLabel("Search by name or email").fill("garc")
  await page.getByLabel("Role").selectOption({ index: 1 })
  await expect(page).toHaveURL(/nameOrEmail=garc/)
  expect(new URL(page.url()).searchParams.size, "both filters apply").toBe(2)
})

test("A form keeps what was typed when the session ends", async ({ page, signIn }) => {
  const app = await signIn("admin@example.com")
  await app.navigate("Users")
  await page.getByRole("link", { name: "Add user" }).click()
  await page.getByLabel("First name").fill("Ida")
  await page.getByLabel("Last name").fill(`Kept ${app.unique}`)
  await page.getByLabel("Email", { exact: true }).fill(`ida.${app.unique}@example.com`.toLowerCase())
  await page.getByLabel("Region (required)").selectOption("North")
  await page.context().clearCookies()
  app.allowStatus(302, 401)
  await page.getByRole("button", { name: "Create" }).click()
  await app.expectText(/^Your session has ended\./)
  await app.expectAccessible("signed out")
  const opened = page.waitForEvent("popup")
  await page.getByRole("link", { name: "Sign in" }).click()
  const tab = await opened
  await tab.getByLabel("Email").fill("admin@example.com")
  await tab.getByLabel("Password").fill(PASSWORD)
  await tab.getByRole("button", { name: "Sign in" }).click()
  await tab.waitForURL(/\/console/)
  await tab.close()
  await page.getByRole("button", { name: "Create" }).click()
  await expect(page.getByRole("heading", { level: 1, name: `Ida Kept ${app.unique}` })).toBeVisible()
})

test("An administrator invites a user, enrolls them, and resolves a conflict with another change", async ({
  page,
  signIn,
}) => {
  const app = await signIn("admin@example.com")

  const { unique } = app
  const dialog = page.getByRole("dialog")
  await app.navigate("Users")
  await page.getByRole("link", { name: "Add user" }).click()
  await page.getByLabel("First name").fill("Zoë")
  await page.getByLabel("Last name").fill(`Quell ${unique}`)
  await page.getByLabel("Email", { exact: true }).fill("owner@example.com")
  await page.getByLabel("Region (required)").selectOption("North")
  await page.getByLabel("Part-time").check()
  await page.getByLabel("Music").check()
  app.allowStatus(422, 412)
  await page.getByRole("button", { name: "Create" }).click()
  await app.expectText("Email is already taken by another user.")
  await expect(page.getByLabel("Email", { exact: true }).and(page.locator(":focus"))).toBeVisible()
  await app.expectAccessible("rejected")
  await page.getByLabel("Email", { exact: true }).fill(`zoe.${unique}@example.com`.toLowerCase())
  await page.getByRole("button", { name: "Create" }).click()
  await app.expectAnnouncement("User created. Invitation sent.")
  await expect(page.getByRole("heading", { level: 1, name: `Zoë Quell ${unique}` })).toBeVisible()
  await app.waitUntilLoaded()
  await app.expectText("Music")
  await app.expectAccessible("person")
  const sent = app.calls.filter(({ method, path }) => method === "POST" && /^\/api\/(user|email)\//.test(path))
  expect(
    sent.map(({ path, status }) => `${path} ${status}`),
    "one call creates the user and sends the email",
  ).toEqual(["/api/user/create 422", "/api/user/create 200"])

  const tabs = page.getByRole("navigation", { name: "User details" })
  await tabs.getByRole("link", { name: "Transcript" }).click()
  await app.expectText("Not enrolled in any course yet.")
  await page.getByRole("button", { name: "Enroll in courses" }).click()
  await dialog.getByRole("searchbox").fill("clear")
  await dialog.getByLabel("Clear writing", { exact: true }).check()
  await app.expectAccessible("enrolling")
  await dialog.getByRole("button", { name: "Enroll in courses" }).click()
  await app.expectText("1 enrollment created.")
  await expect(page.getByRole("row", { name: "Clear writing" }), "the transcript has the new course").toBeVisible()
  await tabs.getByRole("link", { name: "Enrollments" }).click()
  await expect(page.getByLabel("Select Clear writing")).toBeVisible()
  await app.expectAccessible("enrollments")

  await page.getByRole("link", { name: "Edit" }).click()
  await expect(page.getByLabel("First name")).toBeVisible()
  await expect(page.getByLabel("Part-time")).toBeChecked()
  const id = /users\/(\d+)/.exec(page.url())?.[1]
  const changeElsewhere = async (data: object) => {
    const response = await page.request.put(`${app.url}/api/user/${id}`, { data, headers: { origin: app.url } })
    expect(response.status()).toBe(200)
  }
  await changeElsewhere({ lastName: `Other ${unique}` })
  await page.getByLabel("First name").fill("Zora")
  await page.getByRole("button", { name: "Save" }).click()
  await app.expectText("Someone else edited this user")
  await app.expectText(`changed from Quell ${unique} to Other ${unique}`)
  await app.expectAccessible("edited by someone else")
  await page.getByRole("button", { name: "Discard my changes" }).click()
  await expect(page.getByLabel("First name")).toHaveValue("Zoë")
  await page.getByLabel("First name").fill("Zora")
  await page.getByRole("button", { name: "Save" }).click()
  await expect(page.getByRole("heading", { level: 1, name: `Zora Other ${unique}` })).toBeVisible()

  // The form has no time zone: saving it again keeps the one that was set meanwhile.
  await page.getByRole("link", { name: "Edit" }).click()
  await expect(page.getByLabel("First name")).toBeVisible()
  await changeElsewhere({ timeZone: "Asia/Tokyo" })
  await page.getByLabel("First name").fill("Zoë")
  await page.getByRole("button", { name: "Save" }).click()
  await app.expectText("Someone else edited this user")
  await page.getByRole("button", { name: "Save" }).click()
  await expect(page.getByRole("heading", { level: 1, name: `Zoë Other ${unique}` })).toBeVisible()
  const stored = await page.request.get(`${app.url}/api/user/${id}`)
  expect(await stored.json()).toMatchObject({ firstName: "Zoë", timeZone: "Asia/Tokyo" })
})

test("Staff import a spreadsheet, and see its errors before anything is created", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")

  const { unique } = app
  const people = Array.from({ length: 30 }, (_, at) => `up${at}.${unique}@example.com,Up${at},Load,,North`)
  const rows = ["email,first_name,last_name,password,Region", ...people, "not-an-address,Bad,Row,,North"]
  await app.navigate("Users", "Import users")
  await page.getByLabel("Spreadsheet").setInputFiles({
    name: "people.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(`${rows.join("\n")}\n`),
  })
  await page.getByText("Enroll imported users in").click()
  await page.getByLabel("Search Courses").fill("Fire safety")
  await page.getByLabel("Fire safety", { exact: true }).check()
  await page.getByRole("button", { name: "Validate file" }).click()
  await app.expectText("Dry run, nothing was changed: 30 users to create, 0 already exist, 1 row with errors.")
  await app.expectText("email must be an email address.")
  await app.expectAccessible("checked")
  await page.getByRole("button", { name: "Import 30 rows" }).click()
  await expect(page.locator("[data-upload='completed']")).toBeVisible({ timeout: 60_000 })
  await app.expectText("30 users created, 0 already existed, 1 row failed.")
  expect(page.url()).toMatch(/\?upload=\d+$/)
  await app.expectAccessible("imported")
})

test("Staff enroll users by pasted email addresses, and end the enrollments", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")

  const { unique } = app
  const dialog = page.getByRole("dialog")
  await app.navigate("Users", "Enroll users")
  await page.getByText("Paste emails").click()
  const addresses = [
    "OMAR.BENALI@learners.example.com",
    "noor.haddad@learners.example.com",
    `${unique}@nowhere.example`,
  ]
  await page.getByLabel("One email per line").fill(addresses.join("\n"))
  await page.getByRole("button", { name: "Find 3 users" }).click()
  await app.expectText("1 email not found:")
  await page.getByLabel("Search Courses").fill("Public speaking")
  await page.getByLabel("Public speaking", { exact: true }).check()
  await page.getByRole("button", { name: "Enroll (2)" }).click()
  await expect(page.locator(".result")).toBeVisible()
  await app.expectAccessible("enrolled")
  await page.getByLabel("Expires").fill("2030-01-01")
  await page.getByRole("button", { name: "Unenroll" }).click()
  await dialog.getByRole("button", { name: "Unenroll" }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.locator(".result").getByText("Not enrolled")).toBeVisible()
  await expect(page.locator(".result").getByText("2 enrollments ended")).toBeVisible()
  await app.navigate("Courses")
  expect(app.path, "nothing is left to save").toBe("/courses")
})

test("A group administrator sees only members of their group, and cannot create users", async ({ page, signIn }) => {
  const app = await signIn("group@example.com")

  await app.navigate("Users")
  await app.expectText(/ total$/)
  await app.expectAccessible("members")
  await expect(page.getByRole("link", { name: "Add user" })).toHaveCount(0)
  await expect(page.locator("main .tabs").getByRole("link", { name: "Import users" })).toHaveCount(0)
  await page.locator(".table a").first().click()
  await expect(page.getByRole("navigation", { name: "User details" })).toBeVisible()
  await app.waitUntilLoaded()
  await expect(page.getByRole("button", { name: "Delete" })).toHaveCount(0)
  await app.expectAccessible("member")
  await app.goto("/users/new")
  await app.expectText("Page not found")
})

/** The lists whose records have a page. */
const RECORD_LISTS = [
  ...["/users", "/groups", "/portals", "/courses", "/learning-paths", "/question-pools", "/media", "/certificates"],
  ...["/classes", "/rules", "/announcements", "/webhooks", "/sign-in-providers"],
]

test("An administrator deletes an enrolled user after a warning about the enrollments", async ({ page, signIn }) => {
  const app = await signIn("admin@example.com")

  const { admin, id, name } = await enrolledLearner(app)
  const dialog = page.getByRole("dialog")
  await app.goto(`/users/${id}`)
  await page.getByRole("button", { name: "Delete" }).click()
  await dialog.getByRole("button", { name: "Delete" }).click()
  await expect(dialog.getByRole("heading", { name: "Some users couldn't be deleted" })).toBeVisible()
  await expect(
    dialog.getByText("Working with data, Leading a team").or(dialog.getByText("Leading a team, Working with data")),
  ).toBeVisible()
  await app.expectAccessible("warning")
  expect(await statusOf(admin, `/api/user/${id}`)).toBe(200)
  app.allowStatus(404)
  await dialog.getByRole("button", { name: "Unenroll and delete" }).click()
  await page.waitForURL(/\/console\/users$/)
  expect(await statusOf(admin, `/api/user/${id}`)).toBe(404)
  await page.getByLabel("Search by name or email").fill(name)
  await app.expectText("No results match your filters.")

  // The page of a deleted record leads back to its list.
  await app.goto(`/users/${id}`)
  for (const list of RECORD_LISTS) {
    if (list !== "/users") await app.goto(`${list}/999999`)
    await expect(app.heading, list).toHaveText("Page not found")
    await expect(page.locator(`main a.within[href="/console${list}"]`)).toBeVisible()
  }
  await app.expectAccessible("record that does not exist")
})

test("An administrator exports and erases the personal data of a user", async ({ page, signIn }) => {
  const app = await signIn("admin@example.com")

  const { admin, id, email, name } = await enrolledLearner(app)
  const dialog = page.getByRole("dialog")
  const find = async (person: string) => {
    await page.keyboard.press("Control+k")
    await dialog.getByRole("combobox").fill(person)
    await dialog.getByRole("option", { name: person }).click()
    await expect(app.heading).toHaveText(person)
  }
  await app.goto(`/users/${id}`)
  await find("Lucía García")
  await find(name)
  const data = page.getByRole("region", { name: "Personal data" })
  await data.getByRole("button", { name: "Export personal data" }).click()
  const link = data.getByRole("link", { name: "Download file" })
  await expect(link).toBeVisible({ timeout: 60_000 })
  await app.expectAccessible("exported")
  const file = await page.request.get(`${app.url}${await link.getAttribute("href")}`)
  expect(file.headers()["content-type"]).toBe("application/zip")
  await find("Lucía García")
  await expect(link, "the file of another person is not offered").toHaveCount(0)
  await find(name)

  await data.getByRole("button", { name: "Erase personal data" }).click()
  await expect(dialog.getByText("The account is closed immediately")).toBeVisible()
  await app.expectAccessible("consequences")
  app.allowStatus(422)
  await dialog.getByLabel("Email of the person").fill("other@example.com")
  await dialog.getByRole("button", { name: "Erase personal data" }).click()
  await expect(dialog.getByText("to confirm the erasure").first()).toBeVisible()
  expect(await statusOf(admin, `/api/user/erase/progress/${id}`)).toBe(404)
  await dialog.getByLabel("Email of the person").fill(email)
  await dialog.getByRole("button", { name: "Erase personal data" }).click()
  await expect(dialog).toHaveCount(0)
  await app.expectText("The personal data of this user has been erased.")
  await expect(page.getByRole("heading", { level: 1 }).filter({ hasNotText: name })).toBeVisible()
  await app.expectAccessible("erased")
})

test("A learner exports their own personal data, but cannot erase it", async ({ page, signIn }) => {
  const app = await signIn("learner@example.com")

  await app.goto("/account")
  const data = page.getByRole("region", { name: "Personal data" })
  await data.getByRole("button", { name: "Export personal data" }).click()
  await expect(data.getByRole("link", { name: "Download file" })).toBeVisible({ timeout: 60_000 })
  await expect(data.getByRole("button", { name: "Erase personal data" })).toHaveCount(0)
  await app.expectAccessible("personal data")
})

test("An administrator can reset two-factor authentication only when it is on", async ({ page, signIn }) => {
  const app = await signIn("admin@example.com")

  const { id } = await enrolledLearner(app)
  const reset = page.getByRole("button", { name: "Reset two-factor authentication" })
  await app.goto(`/users/${id}`)
  await expect(page.getByText("Two-factor authentication", { exact: true })).toBeVisible()
  await expect(reset).toHaveCount(0)
  await page.route("**/api/user-meta/2fa*", async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), is2FactorAuthActive: true } })
  })
  await page.reload()
  await expect(reset).toBeVisible()
})
