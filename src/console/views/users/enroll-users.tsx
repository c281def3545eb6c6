import { useState } from "preact/hooks"
import { api } from "../../api/client.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { number, t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { ConfirmDialog } from "../../ui/dialog.tsx"
import { ErrorMessage } from "../../ui/error-message.tsx"
import { Form, TextField } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { Progress } from "../../ui/progress.tsx"
import { discardChanges } from "../../ui/unsaved-changes.ts"
import { CoursePicker, GroupSelect, UserPicker } from "./pickers.tsx"
import { useEnroll, useUnenroll } from "./user-mutations.ts"
import "./users.css"

const MAX_EMAILS = 500
const CONCURRENT_LOOKUPS = 4
/** An exact match is among the first results of a search. */
const LOOKUP_PAGE_SIZE = 5

/** @returns undefined if the caller can't see a user with this email */
async function findUser(email: string): Promise<Choice | undefined> {
  const query = { search_term: email, page_size: LOOKUP_PAGE_SIZE, page_number: 1 }
  const { data } = await api.GET("/api/users/lookup", { params: { query } })
  const user = data.records.find((record) => record.email.toLowerCase() === email)
  return user && { id: user.id, name: `${user.full_name} (${user.email})` }
}

const parseEmails = (text: string) => [
  ...new Set(
    text
      .split(/[\s,;<>]+/)
      .filter((word) => word.includes("@"))
      .map((word) => word.toLowerCase()),
  ),
]

/** Finds users by pasted emails. */
function PasteEmails({ onFound }: { onFound: (users: Choice[]) => void }) {
  const [text, setText] = useState("")
  const [processed, setProcessed] = useState<number>()
  const [notFound, setNotFound] = useState<readonly string[]>([])
  const [error, setError] = useState<unknown>()
  const emails = parseEmails(text)
  const isOverLimit = emails.length > MAX_EMAILS
  const find = async () => {
    setError(undefined)
    const found: Choice[] = []
    const missing: string[] = []
    const queue = [...emails]
    const worker = async () => {
      for (let email = queue.shift(); email !== undefined; email = queue.shift()) {
        const user = await findUser(email)
        if (user) found.push(user)
        else missing.push(email)
        setProcessed(found.length + missing.length)
      }
    }
    setProcessed(0)
    try {
      await Promise.all(Array.from({ length: CONCURRENT_LOOKUPS }, worker))
      setText("")
    } catch (failure) {
      setError(failure)
    } finally {
      setProcessed(undefined)
      setNotFound(missing)
      onFound(found)
    }
  }
  return (
    <details class="pasted">
      <summary>{t("users:paste")}</summary>
      <div class="field">
        <label for="pasted">{t("users:paste.label")}</label>
        <textarea
          id="pasted"
          name="pasted"
          rows={6}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      {isOverLimit && <p class="field-error">{t("users:paste.limit", { shown: number(MAX_EMAILS) })}</p>}
      <button type="button" disabled={emails.length === 0 || isOverLimit || processed !== undefined} onClick={find}>
        {t("users:paste.find", { count: emails.length, shown: number(emails.length) })}
      </button>
      {processed !== undefined && (
        <Progress label={t("users:paste.finding")} value={(processed / Math.max(1, emails.length)) * 100} />
      )}
      <ErrorMessage error={error} />
      {notFound.length > 0 && (
        <div role="status">
          <p>{t("users:paste.unknown", { count: notFound.length, shown: number(notFound.length) })}</p>
          <ul>
            {notFound.map((email) => (
              <li key={email}>{email}</li>
            ))}
          </ul>
        </div>
      )}
    </details>
  )
}

type Result = { message: string; counts: { name: string; count: number }[] }

/** Enrolls many users in many courses, or unenrolls them. */
export default function EnrollUsers() {
  const me = useMe()
  const [users, setUsers] = useState<readonly Choice[]>([])
  const [courses, setCourses] = useState<readonly Choice[]>([])
  const [groupId, setGroupId] = useState<number>()
  const [isConfirming, setIsConfirming] = useState(false)
  const [result, setResult] = useState<Result>()
  const enroll = useEnroll()
  const unenroll = useUnenroll()
  const selection = () => ({ user_ids: users.map(({ id }) => id), course_ids: courses.map(({ id }) => id) })
  const enrollmentCount = users.length * courses.length
  return (
    <Page title={t("nav.enrollments")} parent={{ href: "/console/users", label: t("users:title") }}>
      <p class="quiet">{t("users:enrollments.about")}</p>
      <Form
        submit={
          enrollmentCount === 0
            ? t("users:enroll")
            : t("users:enroll.count", { count: enrollmentCount, shown: number(enrollmentCount) })
        }
        isReady={enrollmentCount > 0}
        onSubmit={async (values) => {
          setResult(undefined)
          const expire_on = values.optional("expire_on")
          const response = await enroll.mutateAsync({
            ...selection(),
            ...(groupId && { group_id: groupId }),
            ...(expire_on && { expire_on }),
          })
          setResult({
            message: response.message,
            counts: [
              { name: t("users:enrolled"), count: response.enrolled },
              { name: t("users:enrolled.already"), count: response.alreadyEnrolled },
              { name: t("users:enrolled.skipped"), count: response.skipped },
            ],
          })
        }}
        more={
          hasAccess(me, "staff") && (
            <button type="button" class="danger" disabled={enrollmentCount === 0} onClick={() => setIsConfirming(true)}>
              {t("users:unenroll")}
            </button>
          )
        }
      >
        <div class="form-part in-order">
          <GroupSelect onChange={setGroupId} />
          <UserPicker name="user_ids" selected={users} onSelect={setUsers} />
          <PasteEmails
            onFound={(found) =>
              setUsers((current) => [...current, ...found.filter(({ id }) => !current.some((user) => user.id === id))])
            }
          />
          <CoursePicker name="course_ids" selected={courses} onSelect={setCourses} groupId={groupId} />
          <TextField name="expire_on" type="date" label={t("users:expires")} hint={t("users:expires.hint")} />
        </div>
      </Form>
      {result && (
        <section class="card result" role="status" aria-label={t("users:result")}>
          <p lang="en" dir="auto">
            {result.message}
          </p>
          <dl class="facts">
            {result.counts.flatMap(({ name, count }) => [
              <dt key={name}>{name}</dt>,
              <dd key={`${name} count`}>{number(count)}</dd>,
            ])}
          </dl>
        </section>
      )}
      {isConfirming && (
        <ConfirmDialog
          title={t("users:unenroll.title", { count: enrollmentCount, shown: number(enrollmentCount) })}
          confirm={t("users:unenroll")}
          onClose={() => setIsConfirming(false)}
          onConfirm={async () => {
            setResult(undefined)
            const response = await unenroll.mutateAsync(selection())
            discardChanges()
            setResult({
              message: response.message,
              counts: [
                { name: t("users:unenrolled"), count: response.unenrolled },
                { name: t("users:unenrolled.not"), count: response.notEnrolled },
              ],
            })
          }}
        >
          <p>{t("users:unenroll.text")}</p>
          <p>{t("irreversible")}</p>
        </ConfirmDialog>
      )}
    </Page>
  )
}
