import { useState } from "preact/hooks"
import { api } from "../../api/client.ts"
import { may, useMe } from "../../api/me.tsx"
import { number, t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { Confirm } from "../../ui/dialog.tsx"
import { Problem } from "../../ui/error-message.tsx"
import { Form, TextField } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { Progress } from "../../ui/progress.tsx"
import { CoursePicker, OwnGroup, UserPicker } from "./pickers.tsx"
import { useEnroll, useUnenroll } from "./user-mutations.ts"
import "./users.css"

/** Addresses that are looked up in one go, and calls at once. */
const MOST = 500
const AT_ONCE = 4
/** Of those that a search for an address finds, the one with that very address is among the first. */
const FOUND = 5

/** The user with an address. @returns undefined: the caller knows nobody with it */
async function userOf(email: string): Promise<Choice | undefined> {
  const query = { search_term: email, page_size: FOUND, page_number: 1 }
  const { data } = await api.GET("/api/users/lookup", { params: { query } })
  const user = data.records.find((one) => one.email.toLowerCase() === email)
  return user && { id: user.id, name: `${user.full_name} (${user.email})` }
}

const addressesIn = (text: string) => [
  ...new Set(
    text
      .split(/[\s,;<>]+/)
      .filter((word) => word.includes("@"))
      .map((word) => word.toLowerCase()),
  ),
]

/** Finds users by addresses that are pasted, one a line. */
function Pasted({ onFound }: { onFound: (users: Choice[]) => void }) {
  const [text, setText] = useState("")
  const [done, setDone] = useState<number>()
  const [unknown, setUnknown] = useState<readonly string[]>([])
  const [error, setError] = useState<unknown>()
  const addresses = addressesIn(text)
  const isTooMany = addresses.length > MOST
  const find = async () => {
    setError(undefined)
    const found: Choice[] = []
    const missing: string[] = []
    const waiting = [...addresses]
    const work = async () => {
      for (let email = waiting.shift(); email !== undefined; email = waiting.shift()) {
        const user = await userOf(email)
        if (user) found.push(user)
        else missing.push(email)
        setDone(found.length + missing.length)
      }
    }
    setDone(0)
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, work))
      setText("")
    } catch (failure) {
      setError(failure)
    } finally {
      setDone(undefined)
      setUnknown(missing)
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
      {isTooMany && <p class="fault">{t("users:paste.limit", { shown: number(MOST) })}</p>}
      <button type="button" disabled={addresses.length === 0 || isTooMany || done !== undefined} onClick={find}>
        {t("users:paste.find", { count: addresses.length, shown: number(addresses.length) })}
      </button>
      {done !== undefined && (
        <Progress label={t("users:paste.finding")} value={(done / Math.max(1, addresses.length)) * 100} />
      )}
      <Problem error={error} />
      {unknown.length > 0 && (
        <div role="status">
          <p>{t("users:paste.unknown", { count: unknown.length, shown: number(unknown.length) })}</p>
          <ul>
            {unknown.map((email) => (
              <li key={email}>{email}</li>
            ))}
          </ul>
        </div>
      )}
    </details>
  )
}

/** What the API counted of the last act. */
type Outcome = { message: string; counts: { name: string; count: number }[] }

/** Enrolls many users in many courses, or ends their registrations. */
export default function Enrollments() {
  const me = useMe()
  const [users, setUsers] = useState<readonly Choice[]>([])
  const [courses, setCourses] = useState<readonly Choice[]>([])
  const [groupId, setGroupId] = useState<number>()
  const [isAsked, ask] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()
  const enroll = useEnroll()
  const unenroll = useUnenroll()
  const chosen = () => ({ user_ids: users.map(({ id }) => id), course_ids: courses.map(({ id }) => id) })
  const pairs = users.length * courses.length
  return (
    <Page title={t("nav.enrollments")} within={{ href: "/console/users", label: t("users:title") }}>
      <p class="quiet">{t("users:enrollments.about")}</p>
      <Form
        submit={pairs === 0 ? t("users:enroll") : t("users:enroll.count", { count: pairs, shown: number(pairs) })}
        isReady={pairs > 0}
        onSubmit={async (values) => {
          setOutcome(undefined)
          const expire_on = values.optional("expire_on")
          const answer = await enroll.mutateAsync({
            ...chosen(),
            ...(groupId && { group_id: groupId }),
            ...(expire_on && { expire_on }),
          })
          setOutcome({
            message: answer.message,
            counts: [
              { name: t("users:enrolled"), count: answer.enrolled },
              { name: t("users:enrolled.already"), count: answer.alreadyEnrolled },
              { name: t("users:enrolled.skipped"), count: answer.skipped },
            ],
          })
        }}
        more={
          may(me, "staff") && (
            <button type="button" class="danger" disabled={pairs === 0} onClick={() => ask(true)}>
              {t("users:unenroll")}
            </button>
          )
        }
      >
        <OwnGroup onChange={setGroupId} />
        <UserPicker name="user_ids" chosen={users} onChoose={setUsers} />
        <Pasted
          onFound={(found) =>
            setUsers((before) => [...before, ...found.filter(({ id }) => !before.some((one) => one.id === id))])
          }
        />
        <CoursePicker name="course_ids" chosen={courses} onChoose={setCourses} groupId={groupId} />
        <TextField name="expire_on" type="date" label={t("users:expires")} hint={t("users:expires.hint")} />
      </Form>
      {outcome && (
        <section class="card outcome" role="status" aria-label={t("users:outcome")}>
          <p lang="en" dir="auto">
            {outcome.message}
          </p>
          <dl class="facts">
            {outcome.counts.flatMap(({ name, count }) => [
              <dt key={name}>{name}</dt>,
              <dd key={`${name} count`}>{number(count)}</dd>,
            ])}
          </dl>
        </section>
      )}
      {isAsked && (
        <Confirm
          title={t("users:unenroll.title", { count: pairs, shown: number(pairs) })}
          confirm={t("users:unenroll")}
          onClose={() => ask(false)}
          onConfirm={async () => {
            setOutcome(undefined)
            const answer = await unenroll.mutateAsync(chosen())
            setOutcome({
              message: answer.message,
              counts: [
                { name: t("users:unenrolled"), count: answer.unenrolled },
                { name: t("users:unenrolled.not"), count: answer.notEnrolled },
              ],
            })
          }}
        >
          <p>{t("users:unenroll.text")}</p>
          <p>{t("irreversible")}</p>
        </Confirm>
      )}
    </Page>
  )
}
