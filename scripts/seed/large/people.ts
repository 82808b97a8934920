import { consentDocuments, consentVersions } from "#forms/identity";
import { demonstrationPassword } from "../demonstration-people.ts";
import { type FillContext, inParts } from "./fill-context.ts";

/** Given names in Mongolian and Latin letters; some people use the one, some the other. */
const givenNames = [
  ["Бат-Эрдэнэ", "Bat-Erdene"],
  ["Оюунчимэг", "Oyunchimeg"],
  ["Тэмүүлэн", "Temuulen"],
  ["Номин", "Nomin"],
  ["Ганбаатар", "Ganbaatar"],
  ["Сарангэрэл", "Sarangerel"],
  ["Мөнхбат", "Munkhbat"],
  ["Энхжин", "Enkhjin"],
  ["Баярмаа", "Bayarmaa"],
  ["Түвшинбаяр", "Tuvshinbayar"],
  ["Анударь", "Anudari"],
  ["Дөлгөөн", "Dulguun"],
  ["Цэрэндорж", "Tserendorj"],
  ["Уянга", "Uyanga"],
  ["Хүслэн", "Khuslen"],
  ["Алтанцэцэг", "Altantsetseg"],
  ["Ерөөлт", "Yeruult"],
  ["Солонго", "Solongo"],
  ["Билгүүн", "Bilguun"],
  ["Цогтбаяр", "Tsogtbayar"],
] as const;

const familyNames = [
  ["Дорж", "Dorj"],
  ["Гантулга", "Gantulga"],
  ["Пүрэвсүрэн", "Purevsuren"],
  ["Ишдорж", "Ishdorj"],
  ["Наранбаатар", "Naranbaatar"],
  ["Чулуунбат", "Chuluunbat"],
  ["Жаргалсайхан", "Jargalsaikhan"],
  ["Өлзийсайхан", "Ulziisaikhan"],
  ["Lkhagva", "Lkhagva"],
  ["Сүхбаатар", "Sukhbaatar"],
  ["Отгон", "Otgon"],
  ["Зоригт", "Zorigt"],
  ["Miller", "Miller"],
] as const;

const nameColumn = (names: ReadonlyArray<readonly [string, string]>, at: 0 | 1) =>
  names.map((name) => name[at]);

/** Creates people over the year, all with the demonstration's password; one in a hundred has deleted their account. */
export async function fillPeople({ sql, sizes, users }: FillContext): Promise<void> {
  const hash = await Bun.password.hash(demonstrationPassword, {
    algorithm: "argon2id",
    memoryCost: 19_456,
    timeCost: 2,
  });
  const plural = { given: givenNames.length, families: familyNames.length };
  await inParts(sql, sizes.users, 10_000, async (tx, from, to) => {
    await tx`
      INSERT INTO identity.users (id, username, username_key, email, display_name, avatar_initials, phone_number, password_hash,
        language, email_verified_at, created_at, updated_at)
      OVERRIDING SYSTEM VALUE
      SELECT ${users}::bigint + n, username, username, username || '@midman.example', shown, upper(left(shown, 1)),
        (80000000 + (n * 7919::bigint) % 19000000)::text, ${hash}, CASE WHEN latin THEN 'en' ELSE 'mn' END, at, at, at
      FROM (
        SELECT n, latin, lower(replace((${nameColumn(givenNames, 1)}::text[])[g], '-', '')) || '.' || ${users}::bigint + n AS username,
          CASE WHEN latin THEN (${nameColumn(givenNames, 1)}::text[])[g] || ' ' || (${nameColumn(familyNames, 1)}::text[])[f]
            ELSE (${nameColumn(givenNames, 0)}::text[])[g] || ' ' || (${nameColumn(familyNames, 0)}::text[])[f] END AS shown,
          now() - interval '366 days' * (1 - n::float / ${sizes.users}) - interval '1 hour' AS at
        FROM (
          SELECT n, 1 + n % ${plural.given}::int AS g, 1 + (n / 7) % ${plural.families}::int AS f, n / ${plural.given}::int % 4 = 0 AS latin
          FROM generate_series(${from}::int, ${to}::int) AS n
        ) AS numbered
      ) AS named`;
    for (const document of consentDocuments)
      await tx`
        INSERT INTO identity.consents (user_id, document, version, consented_at)
        SELECT id, ${document}, ${consentVersions[document]}, created_at FROM identity.users
        WHERE id BETWEEN ${users + from} AND ${users + to}`;
    await tx`
      UPDATE identity.users SET username = 'deleted#' || id, username_key = NULL, email = NULL, password_hash = NULL,
        phone_number = NULL, email_verified_at = NULL, display_name = 'Deleted', avatar_initials = 'D', deleted_at = now()
      WHERE id BETWEEN ${users + from} AND ${users + to} AND id % 100 = 37`;
  });
}
