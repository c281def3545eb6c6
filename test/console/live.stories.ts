import assert from "node:assert/strict"
import type { Locator } from "playwright-core"
import { call, connect, json, PASSWORD } from "../../scripts/lib/client.ts"
import type { Stage, Story } from "../../scripts/lib/story.ts"

const DAY = 86_400_000

/** Picks the first record that a box finds for a text. */
async function picks(stage: Stage, label: string, text: string) {
  const box = stage.page.getByRole("combobox", { name: label, exact: true })
  await box.fill(text)
  await stage.page.getByRole("option", { name: text }).first().click()
}

/** Makes a class of the sample's course, ten days from now, and stands at its page. */
async function makesClass(stage: Stage) {
  const start = new Date(Date.now() + 10 * DAY).toISOString().slice(0, 11)
  await stage.open("/classes/new")
  await picks(stage, "Course", "Clear writing")
  await picks(stage, "Instructor", "Mei Tanaka")
  await stage.page.getByLabel("Time zone").selectOption("Asia/Tokyo")
  await stage.page.getByLabel("Start", { exact: true }).fill(`${start}18:30`)
  await stage.page.getByLabel("End", { exact: true }).fill(`${start}20:00`)
  await stage.page.getByRole("button", { name: "Create" }).click()
  await stage.hears("Class created.")
  await stage.page.waitForURL(/\/classes\/\d+$/)
  await stage.settled()
}

async function deletesClass(stage: Stage) {
  await stage.page.getByRole("button", { name: "Delete" }).click()
  await stage.page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
  await stage.hears(/^Class deleted/)
  await stage.page.waitForURL(/\/console\/classes$/)
}

/** A class in Tokyo tomorrow, at 18:30 by its own clocks, with a learner in it. */
async function classInTokyo(stage: Stage, learner: string) {
  const staff = await connect(stage.base, "staff@example.com", PASSWORD)
  const { userId } = await connect(stage.base, learner, PASSWORD)
  const post = async <T>(path: string, body: object) => json<T>(await call(staff, "POST", path, body))
  const day = new Date(Date.now() + DAY).toISOString().slice(0, 10)
  const { id } = await post<{ id: number }>("/api/class/create", {
    courseId: 1,
    allowDownload: false,
    disabled: false,
    instructor: staff.userId,
    timeZone: "Asia/Tokyo",
    starttime: `${day} 18:30`,
    endTime: `${day} 20:00`,
  })
  await post(`/api/class/enroll/${id}`, { studentIds: [userId] })
  const here = { timeZone: "Europe/Berlin", hour: "numeric", minute: "2-digit", timeZoneName: "short" } as const
  return {
    id,
    userId,
    /** What everybody reads: their own clock with its zone, and the class's with its zone. */
    shown: [new Intl.DateTimeFormat("en", here).format(new Date(`${day}T09:30:00Z`)), /6:30\sPM\sAsia\/Tokyo/] as const,
    remove: () => post("/api/class/delete", { classId: id }),
  }
}

export const stories: readonly Story[] = [
  {
    name: "Staff read when a class of another time zone begins, and each time names its zone",
    who: "staff@example.com",
    play: async (stage) => {
      const { userId, id, shown, remove } = await classInTokyo(stage, "learner@example.com")
      const reads = async (where: Locator) => {
        for (const text of shown) await where.filter({ hasText: text }).first().waitFor()
      }
      const { page } = stage
      await stage.open("")
      await reads(page.locator("li", { has: page.locator(`a[href="/console/classes/${id}"]`) }))
      await stage.looks("home")
      await stage.open("/classes?tab=list&dates=to-come")
      await reads(page.locator("tr", { has: page.locator(`a[href="/console/classes/${id}"]`) }))
      await stage.looks("list")
      await stage.open(`/users/${userId}?tab=classes&sort=start&order=desc`)
      await reads(page.locator("tr"))
      await stage.looks("user")
      await remove()
    },
  },
  {
    name: "A learner reads when a class of another time zone begins, and each time names its zone",
    who: "learner@example.com",
    play: async (stage) => {
      const { shown, remove } = await classInTokyo(stage, "learner@example.com")
      const { page } = stage
      await stage.open("/my-classes?tab=list&sort=start&order=desc")
      for (const text of shown) await page.locator("tr").filter({ hasText: text }).first().waitFor()
      await stage.looks("list")
      await page
        .locator("tr", { hasText: /Asia\/Tokyo/ })
        .getByRole("link")
        .first()
        .click()
      for (const text of shown) await page.locator("dl dd").filter({ hasText: text }).first().waitFor()
      await stage.looks("class")
      await remove()
    },
  },
  {
    name: "Somebody on the staff plans a class, and notes who came",
    who: "staff@example.com",
    play: async (stage) => {
      await makesClass(stage)
      await stage.sees("Asia/Tokyo")
      await stage.looks("class")
      await stage.page.getByRole("link", { name: "Learners" }).click()
      await stage.page.getByRole("button", { name: "Enroll users" }).click()
      const dialog = stage.page.getByRole("dialog")
      await dialog.getByRole("searchbox").fill("horvat")
      await dialog
        .getByRole("checkbox", { name: /Horvat/ })
        .first()
        .check()
      await dialog.getByRole("button", { name: "Enroll users" }).click()
      await stage.hears("1 user enrolled.")
      const status = stage.page.getByLabel(/^Status of .*Horvat/)
      await status.selectOption("Attended")
      await stage.hears("Status set to Attended.")
      await stage.sees("Attended: 1")
      await stage.looks("learners")
      stage.expectStatus(409)
      await stage.page.route("**/api/class/update-class-status*", (route) =>
        route.fulfill({ status: 409, json: { message: "There is no room.", code: "class_full", requestId: "1" } }),
      )
      await status.selectOption("Cancelled")
      await stage.sees("There is no room.")
      assert.equal(await status.inputValue(), "Attended")
      await stage.page.unroute("**/api/class/update-class-status*")
      await deletesClass(stage)
    },
  },
  {
    name: "A group's administrator looks through the calendar with the keyboard",
    who: "group@example.com",
    play: async (stage) => {
      await stage.go("Classes")
      await stage.looks("calendar")
      if (stage.isPhone) {
        await stage.page.getByRole("button", { name: "Next month" }).click()
      } else {
        await stage.page.locator("td[tabindex='0']").focus()
        await stage.page.keyboard.press("ArrowRight")
        await stage.page.keyboard.press("PageDown")
      }
      await stage.page.waitForURL(/month=\d{4}-\d{2}/)
      await stage.settled()
      await stage.page
        .getByRole("link", { name: /Working with data/ })
        .first()
        .focus()
      await stage.page.keyboard.press("Enter")
      await stage.sees("Sessions")
      await stage.looks("class")
      assert.equal(await stage.page.getByRole("button", { name: "Delete" }).count(), 0)
      for (const tab of ["Learners", "Material", "Recordings"]) {
        await stage.page.getByRole("link", { name: tab, exact: true }).click()
        await stage.settled()
      }
    },
  },
  {
    name: "An administrator tells a course's learners something in Arabic, for a while",
    who: "admin@example.com",
    locale: "ar",
    play: async (stage) => {
      const heading = `مغلق يوم الجمعة ${stage.unique}`
      await stage.open("/announcements/new")
      await stage.page.getByLabel("العنوان").fill(heading)
      await stage.page.getByLabel("النص", { exact: true }).fill("<p>نغلق <b>يوم الجمعة</b>.</p>")
      await stage.page.locator(".preview b").getByText("يوم الجمعة").waitFor()
      await stage.page.getByLabel("لمن").selectOption("specific_course_users")
      const courses = stage.page.getByRole("group", { name: "الدورات" })
      await courses.getByRole("searchbox").fill("Clear writing")
      await courses.getByRole("checkbox", { name: "Clear writing" }).check()
      await stage.page.getByLabel("يظهر حتى").fill("2099-05-01T12:00")
      await stage.looks("announcement")
      await stage.page.getByRole("button", { name: "إنشاء" }).click()
      await stage.page.waitForURL(/\/announcements$/)
      await stage.page.getByRole("link", { name: heading }).click()
      await stage.page.getByRole("button", { name: "حفظ" }).waitFor()
      assert.equal(await stage.page.getByLabel("يظهر حتى").inputValue(), "2099-05-01T12:00")
      assert.match((await stage.page.locator(".picked").textContent()) ?? "", /Clear writing/)
      await stage.page.getByRole("button", { name: "حفظ" }).click()
      await stage.page.waitForURL(/\/announcements$/)
      await stage.sees("Users of Clear writing")
      await stage.looks("announcements")
      await stage.page.getByLabel(`اختيار ${heading}`).check()
      await stage.page.getByRole("button", { name: "حذف" }).click()
      await stage.page.getByRole("dialog").getByRole("button", { name: "حذف" }).click()
      await stage.page.getByRole("link", { name: heading }).waitFor({ state: "detached" })
    },
  },
]
