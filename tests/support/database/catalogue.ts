import { openClient } from "../../../db/client.ts";

type Line = { relation: string | null; parent: string | null; name: string | null; said: string };

/** Every schema but Postgres' own. */
const ownSchemas = "nspname !~ '^pg_|^information_schema$'";

/** A relation or function with its comment, which is part of its line. */
const withComment = (oid: string, catalogue: string) =>
  `coalesce(' -- ' || obj_description(${oid}, '${catalogue}'), '')`;

const catalogueQuery = `
  WITH relation AS (
    SELECT c.*, n.nspname, format('%I.%I', n.nspname, c.relname) AS full_name,
      (SELECT format('%I.%I', pn.nspname, p.relname) FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhparent
        JOIN pg_namespace pn ON pn.oid = p.relnamespace WHERE i.inhrelid = c.oid AND c.relispartition) AS parent
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${ownSchemas}
  ), tables AS (SELECT * FROM relation WHERE relkind IN ('r', 'p', 'v', 'm', 'f'))
  SELECT NULL AS relation, NULL AS parent, NULL AS name, 'schema ' || nspname || ${withComment("oid", "pg_namespace")} AS said
    FROM pg_namespace WHERE ${ownSchemas}
  UNION ALL SELECT full_name, parent, NULL, format('table %s %s %s %s %s', full_name, relkind, relpersistence, reloptions,
      pg_get_partkeydef(oid)) || ${withComment("oid", "pg_class")} FROM tables
  UNION ALL SELECT full_name, parent, NULL, format('column %s %s %s %s %s %s %s %s', full_name,
      row_number() OVER (PARTITION BY a.attrelid ORDER BY attnum), attname, format_type(atttypid, atttypmod), attnotnull,
      attidentity::text || attgenerated::text, attcollation::regcollation, pg_get_expr(d.adbin, d.adrelid))
      || coalesce(' -- ' || col_description(a.attrelid, attnum), '')
    FROM tables t JOIN pg_attribute a ON a.attrelid = t.oid AND attnum > 0 AND NOT attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  UNION ALL SELECT full_name, parent, quote_ident(conname), format('constraint %s %s %s %s', full_name, quote_ident(conname),
      convalidated, pg_get_constraintdef(k.oid)) || ${withComment("k.oid", "pg_constraint")}
    FROM tables t JOIN pg_constraint k ON k.conrelid = t.oid AND (k.conparentid = 0 OR t.parent IS NOT NULL)
  UNION ALL SELECT full_name, parent, quote_ident(c.relname), 'index ' || pg_get_indexdef(i.indexrelid) || format(' %s %s %s', indisvalid, indisunique, c.reloptions)
    FROM tables t JOIN pg_index i ON i.indrelid = t.oid JOIN pg_class c ON c.oid = i.indexrelid
  UNION ALL SELECT full_name, parent, NULL, format('trigger %s %s', tgenabled, pg_get_triggerdef(g.oid)) || ${withComment("g.oid", "pg_trigger")}
    FROM tables t JOIN pg_trigger g ON g.tgrelid = t.oid AND NOT tgisinternal
  UNION ALL SELECT NULL, NULL, NULL, format('function public:%s %s', has_function_privilege('public', p.oid, 'EXECUTE'),
      pg_get_functiondef(p.oid)) || ${withComment("p.oid", "pg_proc")}
    FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace WHERE ${ownSchemas} AND prokind IN ('f', 'p')
  UNION ALL SELECT NULL, NULL, NULL, format('sequence %s %s %s %s %s %s %s %s', full_name, seqtypid::regtype, seqstart, seqincrement, seqmin, seqmax, seqcycle,
      (SELECT string_agg(d.refobjid::regclass || '.' || a.attname, ',') FROM pg_depend d JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
        WHERE d.objid = r.oid AND d.refobjsubid > 0 AND d.classid = 'pg_class'::regclass))
    FROM relation r JOIN pg_sequence s ON s.seqrelid = r.oid
  UNION ALL SELECT NULL, NULL, NULL, format('type %s.%s %s', nspname, typname, typtype)
    FROM pg_type y JOIN pg_namespace n ON n.oid = typnamespace WHERE ${ownSchemas} AND typtype IN ('d', 'e', 'r', 'm')`;

/**
 * What keeps a database's rows right, a line each, as the catalogue spells it: tables, columns, constraints, indexes, triggers, functions
 * with who may call them, sequences and comments. How many partitions a table has, where they begin and how their indexes are named
 * depends on the clock and on the rows: of them there is one line for each shape that occurs, and none for what refers to one of them.
 */
export async function readCatalogue(url: string): Promise<string[]> {
  const client = openClient(url, { max: 1 });
  try {
    const rows = await client.unsafe<Line[]>(catalogueQuery);
    const shapes = new Map<string, { parent: string; lines: string[] }>();
    const said: string[] = [];
    for (const row of rows) {
      if (row.relation === null || row.parent === null) {
        said.push(row.said);
        continue;
      }
      const shape = shapes.get(row.relation) ?? { parent: row.parent, lines: [] };
      shapes.set(row.relation, shape);
      const unnamed = row.name === null ? row.said : row.said.replace(row.name, "it");
      shape.lines.push(unnamed.replaceAll(row.relation, "this"));
    }
    const partitions = [...shapes.values()].map(
      (shape) => `partition of ${shape.parent}:\n  ${shape.lines.sort().join("\n  ")}`,
    );
    return [...said, ...new Set(partitions)].sort();
  } finally {
    await client.end();
  }
}
