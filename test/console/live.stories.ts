import assert from "node:assert/strict"
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

export const stories: readonly Story[] = [
  {
    name: "Somebody on the staff plans a class, and notes who came",
    who: "staff@example.com",
    play: async (stage) => {
      await makesClass(stage)
      await stage.sees("Asia/Tokyo")
      await stage.looks("class")
      await stage.page.getByRole("link", { name: "Learners" }).click()
      await stage.page.getByRole("button", { name: "Enrol users" }).click()
      const dialog = stage.page.getByRole("dialog")
      await dialog.getByRole("searchbox").fill("horvat")
      await dialog
        .getByRole("checkbox", { name: /Horvat/ })
        .first()
        .check()
      await dialog.getByRole("button", { name: "Enrol users" }).click()
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
