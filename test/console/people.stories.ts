import assert from "node:assert/strict"
import { type Connection, call, connect, json, PASSWORD } from "../../scripts/lib/client.ts"
import type { Stage, Story } from "../../scripts/lib/story.ts"

const today = () => new Date().toISOString().slice(0, 10)

/** A learner of this play's own, enrolled in a course and in a class of it. */
async function enrolledLearner(stage: Stage) {
  const admin = await connect(stage.base, "admin@example.com", PASSWORD)
  const post = async <T>(path: string, body: object) => json<T>(await call(admin, "POST", path, body))
  const email = `ivo.${stage.unique}@example.com`.toLowerCase()
  const { id } = await post<{ id: number }>("/api/user/create", {
    firstName: "Ivo",
    lastName: `Marsh ${stage.unique}`,
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
  return { admin, id, email, name: `Ivo Marsh ${stage.unique}` }
}

const statusOf = async (who: Connection, path: string) => (await call(who, "GET", path)).status

export const stories: readonly Story[] = [
  {
    name: "An administrator finds a learner as they type",
    who: "admin@example.com",
    play: async (stage) => {
      await stage.go("Users")
      await stage.page.getByLabel("Name or email address").fill("garc")
      await stage.sees(/^1 found of/)
      await stage.looks("found")
      assert.match(stage.page.url(), /nameOrEmail=garc/)
      await stage.page.reload()
      await stage.settled()
      await stage.sees("Lucía García")
    },
  },
  {
    name: "An administrator invites a new person, enrolls them, and is told when somebody else changes them",
    who: "admin@example.com",
    play: async (stage) => {
      const { page, unique } = stage
      const dialog = page.getByRole("dialog")
      await stage.go("Users")
      await page.getByRole("link", { name: "New user" }).click()
      await page.getByLabel("First name").fill("Zoë")
      await page.getByLabel("Last name").fill(`Quell ${unique}`)
      await page.getByLabel("Email address").fill("owner@example.com")
      await page.getByLabel("Region (required)").selectOption("North")
      await page.getByLabel("Part-time").check()
      await page.getByLabel("Music").check()
      stage.expectStatus(422, 412)
      await page.getByRole("button", { name: "Create" }).click()
      await stage.sees("Email address is taken")
      await page.getByLabel("Email address").and(page.locator(":focus")).waitFor()
      await stage.looks("refused")
      await page.getByLabel("Email address").fill(`zoe.${unique}@example.com`.toLowerCase())
      await page.getByRole("button", { name: "Create" }).click()
      await stage.hears("User created. A link to choose a password is on its way to them.")
      await page.getByRole("heading", { level: 1, name: `Zoë Quell ${unique}` }).waitFor()
      await stage.settled()
      await stage.sees("Music")
      await stage.looks("person")
      const sent = stage.calls.filter(({ method, path }) => method === "POST" && /^\/api\/(user|email)\//.test(path))
      assert.deepEqual(
        sent.map(({ path, status }) => `${path} ${status}`),
        ["/api/user/create 422", "/api/user/create 200"],
        "one call makes the user and sends the one mail",
      )

      await page.getByRole("button", { name: "Enroll in courses" }).click()
      await dialog.getByRole("searchbox").fill("clear")
      await dialog.getByLabel("Clear writing", { exact: true }).check()
      await stage.looks("enrolling")
      await dialog.getByRole("button", { name: "Enroll in courses" }).click()
      await stage.sees("1 enrollment made")
      await page.getByRole("navigation", { name: "Parts" }).getByRole("link", { name: "Enrollments" }).click()
      await page.getByLabel("Choose Clear writing").waitFor()
      await stage.looks("enrollments")

      await page.getByRole("link", { name: "Edit" }).click()
      await page.getByLabel("First name").waitFor()
      assert.equal(await page.getByLabel("Part-time").isChecked(), true)
      const id = /users\/(\d+)/.exec(page.url())?.[1]
      const elsewhere = await page.request.put(`${stage.base}/api/user/${id}`, {
        data: { lastName: `Other ${unique}` },
        headers: { origin: stage.base },
      })
      assert.equal(elsewhere.status(), 200)
      await page.getByLabel("First name").fill("Zora")
      await page.getByRole("button", { name: "Save" }).click()
      await stage.sees("Somebody else changed this user meanwhile")
      await stage.sees(`Quell ${unique} became Other ${unique}`)
      await stage.looks("overtaken")
      await page.getByRole("button", { name: "Take theirs, and drop mine" }).click()
      assert.equal(await page.getByLabel("First name").inputValue(), "Zoë")
      await page.getByLabel("First name").fill("Zora")
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByRole("heading", { level: 1, name: `Zora Other ${unique}` }).waitFor()
    },
  },
  {
    name: "Staff upload a spreadsheet: its errors are told before anything is made",
    who: "staff@example.com",
    play: async (stage) => {
      const { page, unique } = stage
      const people = Array.from({ length: 30 }, (_, at) => `up${at}.${unique}@example.com,Up${at},Load,,North`)
      const rows = ["email,first_name,last_name,password,Region", ...people, "not-an-address,Bad,Row,,North"]
      await stage.go("Bulk upload")
      await page.getByLabel("Spreadsheet").setInputFiles({
        name: "people.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(`${rows.join("\n")}\n`),
      })
      await page.getByText("Where they go").click()
      await page.getByLabel("Search: Courses").fill("Fire safety")
      await page.getByLabel("Fire safety", { exact: true }).check()
      await page.getByRole("button", { name: "Check the file" }).click()
      await stage.sees("A dry run, nothing was changed: 30 users to create, 0 there already, 1 row at fault.")
      await stage.sees("email must be an email address.")
      await stage.looks("checked")
      await page.getByRole("button", { name: "Upload 30 rows" }).click()
      await page.locator("[data-upload='completed']").waitFor({ timeout: 60_000 })
      await stage.sees("30 users created, 0 there already, 1 row failed.")
      assert.match(page.url(), /\?upload=\d+$/)
      await stage.looks("landed")
    },
  },
  {
    name: "Staff enroll those whose email addresses they paste, and end it again",
    who: "staff@example.com",
    play: async (stage) => {
      const { page, unique } = stage
      const dialog = page.getByRole("dialog")
      await stage.go("Enrollments")
      await page.getByText("Paste email addresses").click()
      const addresses = [
        "OMAR.BENALI@learners.example.com",
        "noor.haddad@learners.example.com",
        `${unique}@nowhere.example`,
      ]
      await page.getByLabel("Email addresses, one a line").fill(addresses.join("\n"))
      await page.getByRole("button", { name: "Find 3 users" }).click()
      await stage.sees("1 address is of nobody whom you may see:")
      await page.getByLabel("Search: Courses").fill("Public speaking")
      await page.getByLabel("Public speaking", { exact: true }).check()
      await page.getByRole("button", { name: "Make 2 enrollments" }).click()
      await page.locator(".outcome").waitFor()
      await stage.looks("enrolled")
      await page.getByRole("button", { name: "End enrollments" }).click()
      await dialog.getByRole("button", { name: "End enrollments" }).click()
      await dialog.waitFor({ state: "detached" })
      await page.locator(".outcome").getByText("Not enrolled").waitFor()
      await page.locator(".outcome").getByText("2 enrollments ended").waitFor()
    },
  },
  {
    name: "A group administrator sees the members of their group, and makes nobody",
    who: "group@example.com",
    play: async (stage) => {
      const { page } = stage
      await stage.go("Users")
      await stage.sees(/in all$/)
      await stage.looks("members")
      assert.equal(await page.getByRole("link", { name: "New user" }).count(), 0)
      assert.equal(await page.locator("#navigation").getByRole("link", { name: "Bulk upload" }).count(), 0)
      await page.locator(".table a").first().click()
      await page.getByRole("navigation", { name: "Parts" }).waitFor()
      await stage.settled()
      assert.equal(await page.getByRole("button", { name: "Delete" }).count(), 0)
      await stage.looks("member")
      await stage.open("/users/new")
      await stage.sees("Not found")
    },
  },
  {
    name: "An administrator deletes somebody who is enrolled, after being told what keeps them",
    who: "admin@example.com",
    play: async (stage) => {
      const { page } = stage
      const { admin, id, name } = await enrolledLearner(stage)
      const dialog = page.getByRole("dialog")
      await stage.open(`/users/${id}`)
      await page.getByRole("button", { name: "Delete" }).click()
      await dialog.getByRole("button", { name: "Delete" }).click()
      await dialog.getByRole("heading", { name: "Not all were deleted" }).waitFor()
      await dialog
        .getByText("Working with data, Leading a team")
        .or(dialog.getByText("Leading a team, Working with data"))
        .waitFor()
      await stage.looks("kept")
      assert.equal(await statusOf(admin, `/api/user/${id}`), 200)
      stage.expectStatus(404)
      await dialog.getByRole("button", { name: "End enrollments and delete" }).click()
      await page.waitForURL(/\/console\/users$/)
      assert.equal(await statusOf(admin, `/api/user/${id}`), 404)
      await page.getByLabel("Name or email address").fill(name)
      await stage.sees("Nothing matches the search.")
    },
  },
  {
    name: "An administrator exports the personal data of somebody, and erases it",
    who: "admin@example.com",
    play: async (stage) => {
      const { page } = stage
      const { admin, id, email, name } = await enrolledLearner(stage)
      const dialog = page.getByRole("dialog")
      await stage.open(`/users/${id}`)
      const data = page.getByRole("region", { name: "Personal data" })
      await data.getByRole("button", { name: "Export personal data" }).click()
      const link = data.getByRole("link", { name: "Download the file" })
      await link.waitFor({ timeout: 60_000 })
      await stage.looks("exported")
      const file = await page.request.get(`${stage.base}${await link.getAttribute("href")}`)
      assert.equal(file.headers()["content-type"], "application/zip")

      await data.getByRole("button", { name: "Erase personal data" }).click()
      await dialog.getByText("The account is closed at once").waitFor()
      await stage.looks("consequences")
      stage.expectStatus(422)
      await dialog.getByLabel("Email address of the person").fill("somebody@example.com")
      await dialog.getByRole("button", { name: "Erase personal data" }).click()
      await dialog.getByText("it confirms who is meant").first().waitFor()
      assert.equal(await statusOf(admin, `/api/user/erase/progress/${id}`), 404)
      await dialog.getByLabel("Email address of the person").fill(email)
      await dialog.getByRole("button", { name: "Erase personal data" }).click()
      await dialog.waitFor({ state: "detached" })
      await stage.sees("The personal data of this user is erased.")
      await page.getByRole("heading", { level: 1 }).filter({ hasNotText: name }).waitFor()
      await stage.looks("erased")
    },
  },
  {
    name: "A learner exports their own personal data, and is not offered to erase it",
    who: "learner@example.com",
    play: async (stage) => {
      const { page } = stage
      await stage.open("/account")
      const data = page.getByRole("region", { name: "Personal data" })
      await data.getByRole("button", { name: "Export personal data" }).click()
      await data.getByRole("link", { name: "Download the file" }).waitFor({ timeout: 60_000 })
      assert.equal(await data.getByRole("button", { name: "Erase personal data" }).count(), 0)
      await stage.looks("own data")
    },
  },
  {
    name: "An administrator is offered to turn two-factor authentication off only where it is on",
    who: "admin@example.com",
    play: async (stage) => {
      const { page } = stage
      const { id } = await enrolledLearner(stage)
      const turnOff = page.getByRole("button", { name: "Turn two-factor off" })
      await stage.open(`/users/${id}`)
      await page.getByText("Two-factor authentication", { exact: true }).waitFor()
      assert.equal(await turnOff.count(), 0)
      await page.route("**/api/user-meta/2fa*", async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...(await response.json()), is2FactorAuthActive: true } })
      })
      await page.reload()
      await turnOff.waitFor()
    },
  },
]
