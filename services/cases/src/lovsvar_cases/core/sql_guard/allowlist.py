"""What a query about the law may consist of. Whatever is not named here is refused."""

from collections.abc import Mapping

from sqlglot import exp

TABLES: Mapping[str, frozenset[str]] = {
    "legislation": frozenset(
        {
            *("doc_id", "document", "document_type", "document_title", "short_title", "abbreviation", "year"),
            *("ministries", "legal_areas", "section", "title", "path", "summary", "full_text", "in_force"),
            *("in_force_from", "last_changed"),
        }
    ),
    "practice": frozenset({"doc_id", "court", "decided", "title", "summary", "full_text"}),
}
"""The tables and their columns: the views of the schema `law_sql`."""

SCHEMA = "law_sql"

QUERIES = (exp.Select, exp.SetOperation)
"""What a statement may be."""

CLAUSES = frozenset(
    {
        *(exp.Select, exp.Union, exp.Intersect, exp.Except, exp.Subquery, exp.With, exp.CTE, exp.From, exp.Join),
        *(exp.Where, exp.Group, exp.Having, exp.Order, exp.Ordered, exp.Limit, exp.Offset, exp.Distinct, exp.Window),
        *(exp.WindowSpec, exp.Table, exp.TableAlias, exp.Alias, exp.Column, exp.Identifier, exp.Star, exp.Filter),
    }
)
OPERATORS = frozenset(
    {
        *(exp.And, exp.Or, exp.Not, exp.Paren, exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Is, exp.In),
        *(exp.Between, exp.Like, exp.ILike, exp.Escape, exp.Exists, exp.Any, exp.Tuple, exp.Case, exp.If, exp.Add),
        *(exp.Sub, exp.Mul, exp.Div, exp.Neg, exp.DPipe, exp.Array, exp.ArrayContainsAll, exp.ArrayContainedBy),
        *(exp.ArrayOverlaps,),
    }
)
VALUES = frozenset(
    {exp.Literal, exp.Null, exp.Boolean, exp.Cast, exp.DataType, exp.DataTypeParam, exp.Interval, exp.Var}
)
FUNCTIONS = frozenset(
    {
        *(exp.Count, exp.Min, exp.Max, exp.Sum, exp.Avg, exp.RowNumber, exp.Rank, exp.DenseRank),
        *(exp.Lower, exp.Upper, exp.Length, exp.Trim, exp.Left, exp.Right, exp.Substring, exp.StrPosition),
        *(exp.Concat, exp.ConcatWs, exp.Coalesce, exp.Nullif, exp.Round, exp.Abs, exp.Greatest, exp.Least),
        *(exp.CurrentDate, exp.Extract, exp.ArraySize),
    }
)
"""None makes a text longer than its arguments together, calls another by name, or leaves a trace."""

NODES = CLAUSES | OPERATORS | VALUES | FUNCTIONS

TYPES = frozenset(
    {
        *(exp.DType.TEXT, exp.DType.VARCHAR, exp.DType.INT, exp.DType.BIGINT, exp.DType.SMALLINT, exp.DType.DOUBLE),
        *(exp.DType.DECIMAL, exp.DType.BOOLEAN, exp.DType.DATE, exp.DType.INTERVAL, exp.DType.ARRAY),
    }
)
"""What a value may be cast to."""
