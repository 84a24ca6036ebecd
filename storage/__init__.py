"""Everything that speaks SQL: tables, mappers, a store per aggregate, migrations."""
