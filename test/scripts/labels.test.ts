// The console replaces field names in API messages with form labels.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { withFieldLabels } from "../../src/console/ui/field-labels.ts"

const LABELS = new Map([
  ["name", "Name"],
  ["file", "File"],
  ["content", "Instructions"],
  ["allowed_filetypes", "Allowed file types"],
  ["submission_type", "Submitted as"],
  ["course_ids", "Courses"],
  ["newIssueDate", "Issued on"],
  ["newExpiryDate", "Expires on"],
  ["questions.1.answers", "Accepted answers"],
])

describe("an API message in a console form", () => {
  const messages: [message: string, shown: string][] = [
    ["content is required: add instructions.", "Instructions is required: add instructions."],
    [
      "allowed_filetypes is required when submission_type is file.",
      "Allowed file types is required when Submitted as is file.",
    ],
    [
      "course_ids must have 1 element or more. (and 1 more error)",
      "Courses must have 1 element or more. (and 1 more error)",
    ],
    ["course_ids.3 must be a number.", "Courses must be a number."],
    ["newExpiryDate must be after newIssueDate.", "Expires on must be after Issued on."],
    [
      "questions.1.answers must contain at least one accepted text.",
      "Accepted answers must contain at least one accepted text.",
    ],
    ["time_zone must be an IANA time zone.", "Time zone must be an IANA time zone."],
    ["webinarMeetingId is too long.", "Webinar meeting id is too long."],
  ]
  for (const [message, shown] of messages)
    it(`shows labels instead of field names: ${message}`, () => {
      const invalidFields = message.split(" ", 1)
      assert.equal(withFieldLabels(message, LABELS, invalidFields), shown)
    })

  const unchanged = [
    "people_2.csv is a txt file. Accepted file types: image, pdf.",
    "The name of a course_is_free file is not changed.",
    'A course called "allowed_filetypes" is there already.',
    "No attempts left: this quiz allows 3 attempts.",
    "https://example.com/allowed_filetypes is no picture.",
  ]
  for (const message of unchanged)
    it(`does not change other text: ${message}`, () =>
      assert.equal(withFieldLabels(message, LABELS, ["file"]), message))
})
